import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LONGEST_ANSWER_MS } from '../../support/service.ts';
import type { ReportedTest, Transaction } from './transaction.ts';

const require = createRequire(import.meta.url);

type Work = (transaction: Transaction) => Promise<void>;

/** A hook that throws fails its transaction. */
export interface Hooks {
  readonly beforeEach: Work;
  readonly beforeEachValidation: Work;
  readonly afterEach: Work;
}

export interface Report {
  readonly verdict: 'pass' | 'fail' | 'skip';
  readonly test: ReportedTest;
  /** Why it failed; empty for one that passed. */
  readonly reasons: readonly string[];
}

export interface DreddRun {
  /** The bundled contract, JSON. */
  readonly document: string;
  /** The server, with the prefix of the paths. */
  readonly endpoint: string;
  readonly hooks: Hooks;
}

/** Hooks of the current run. Dredd loads its hook file itself, which takes them from here. */
let hooksUnderWay: Hooks | undefined;

/** Used by the hook file only. */
export function hooksOfRun(name: keyof Hooks) {
  const work = hooksUnderWay![name];
  return (transaction: Transaction, done: () => void): void => {
    work(transaction)
      .catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        transaction.fail = transaction.fail ? `${transaction.fail}\n${text}` : text;
      })
      // In its own turn of the event loop: otherwise Dredd takes a later error for one of the hook, and continues
      // twice.
      .finally(() => setImmediate(done));
  };
}

/** Runs Dredd in this process for every transaction of the document, one after another. One run at a time. */
export async function runDredd(run: DreddRun): Promise<Report[]> {
  if (hooksUnderWay !== undefined) throw new Error('Dredd is running already.');
  const Dredd = quietDredd();
  const reports: Report[] = [];
  const emitter = new EventEmitter();
  emitter.on('start', (descriptions: object[], done: () => void) => {
    // The transactions are made. Dredd now copies its configuration for the hooks, with these descriptions, whose copy
    // would take longer than a third of the requests.
    descriptions.length = 0;
    done();
  });
  emitter.on('test pass', (test: ReportedTest) => reports.push({ verdict: 'pass', test, reasons: [] }));
  emitter.on('test skip', (test: ReportedTest) => reports.push({ verdict: 'skip', test, reasons: [] }));
  emitter.on('test fail', (test: ReportedTest) =>
    reports.push({ verdict: 'fail', test, reasons: reasonsOf(test) }),
  );
  emitter.on('test error', (error: Error, test: ReportedTest) =>
    reports.push({ verdict: 'fail', test, reasons: [`The request failed: ${error.message}`] }),
  );
  const dredd = new Dredd({
    endpoint: run.endpoint,
    apiDescriptions: [{ location: 'generated/openapi.json', content: run.document }],
    hookfiles: [join(import.meta.dirname, 'dredd-hooks.cts')],
    loglevel: 'error',
    color: false,
    http: { timeout: LONGEST_ANSWER_MS },
    emitter,
  });
  hooksUnderWay = run.hooks;
  try {
    await new Promise<void>((resolve, reject) => {
      dredd.run((error: unknown) => (error ? reject(error) : resolve()));
    });
  } finally {
    hooksUnderWay = undefined;
  }
  return reports;
}

function reasonsOf(test: ReportedTest): string[] {
  const texts = [test.message, ...(test.errors ?? []).map(({ message }) => message)];
  return [...new Set(texts.flatMap((text) => text.trim().split('\n')))].filter((text) => text !== '');
}

interface DreddClass {
  new (configuration: object): { run(callback: (error: unknown) => void): void };
}

/**
 * Dredd without its console reporter, which has no option to disable it, and without Node's warnings about its old
 * packages. Its warnings about unknown keywords of OpenAPI 3.1 are below `loglevel`.
 */
function quietDredd(): DreddClass {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const { default: output } = require('dredd/build/reporters/reporterOutputLogger');
    output.transports.console.silent = true;
    return require('dredd');
  } finally {
    process.emitWarning = emitWarning;
  }
}
