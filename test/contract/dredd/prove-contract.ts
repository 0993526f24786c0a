import { documentedAnswers, keyOfTransaction, nameOf } from './documented-answers.ts';
import { contractHooks, type Notes } from './hooks.ts';
import { type Report, runDredd } from './run-dredd.ts';
import type { BrokenStep } from './steps.ts';
import { startTarget, type Target } from './target.ts';

/** The result of a contract test. Each documented answer, such as `createCustomer 201`, is in one of the lists. */
export interface Proof {
  /** The service gave these answers as documented. */
  readonly proven: readonly string[];
  /** Wrong answers, and operations with a wrong answer that only prepared others. */
  readonly failures: readonly Failure[];
  /** Failed because a preparing step failed. */
  readonly notReached: readonly NotReached[];
  readonly notRequested: readonly NotRequested[];
}

export interface Failure {
  readonly name: string;
  readonly reasons: readonly string[];
  /** The request and its answer, if it was sent. */
  readonly test?: Report['test'];
}

export interface NotReached {
  readonly name: string;
  /** Name of the failure to fix first: `createCustomer 201`. */
  readonly because: string;
}

export interface NotRequested {
  readonly name: string;
  readonly why: string;
}

export interface ProofOptions {
  /** The service under test. Default: one in this process. */
  readonly target?: () => Promise<Target>;
  /** Starts a server between Dredd and the service: takes the service's address and returns its own. */
  readonly through?: (url: string) => Promise<string>;
  /** Called with the name of each step when it begins. */
  readonly at?: (step: string) => void;
}

/**
 * Runs Dredd with the bundled contract against a service. Every documented answer counts once. An answer that Dredd
 * leaves out, or that has no recipe, is a failure.
 */
export async function proveContract(
  text: string,
  { target: open = startTarget, through, at = () => {} }: ProofOptions = {},
): Promise<Proof> {
  const document = JSON.parse(text);
  const answers = documentedAnswers(document);
  const notes: Notes = { brokenSteps: new Map(), interrupted: new Set(), notRequested: new Map() };
  at('the start of the service');
  await using target = await open();
  using _ = { [Symbol.dispose]: () => at('the stop of the service') };
  const { url } = target;
  const reports = await runDredd({
    document: text,
    endpoint: `${through === undefined ? url : await through(url)}/api/v1`,
    hooks: contractHooks({ document, answers }, target, at, notes),
  });
  return proofOf(reports, new Map([...answers].map(([key, answer]) => [key, nameOf(answer)])), notes);
}

/** Sorts the reports of a run. `names` are those of all answers by their key. */
function proofOf(reports: readonly Report[], names: Map<string, string>, notes: Notes): Proof {
  const proven: string[] = [];
  const failures: Failure[] = [];
  const dependent: Dependent[] = [];
  const notRequested: NotRequested[] = [];
  for (const { verdict, test, reasons } of reports) {
    const key = keyOfTransaction(test.title, test.origin);
    const name = names.get(key);
    names.delete(key);
    const step = stepThatStopped(key, test, notes);
    const why = notes.notRequested.get(key);
    if (name === undefined) {
      const twice = ['Dredd ran it twice, or the contract has no such answer.'];
      failures.push({ name: key, reasons: twice, test });
    } else if (verdict === 'pass') proven.push(name);
    else if (verdict === 'skip' && why !== undefined) notRequested.push({ name, why });
    else if (verdict === 'skip') failures.push({ name, reasons: ['Dredd skipped it.'], test });
    else if (step !== undefined) dependent.push({ name, step });
    else failures.push({ name, reasons, test });
  }
  for (const name of names.values()) failures.push({ name, reasons: ['Dredd made no transaction of it.'] });
  return { proven, notRequested, ...withRoots(failures, dependent) };
}

/** The first broken step of a story that did not reach the documented status; undefined when it did. */
function stepThatStopped(key: string, test: Report['test'], notes: Notes): BrokenStep | undefined {
  const [, documented] = / \((\d+)\) /.exec(test.title) ?? [];
  const isAnswered = String(test.actual?.statusCode) === documented && !notes.interrupted.has(key);
  return isAnswered ? undefined : notes.brokenSteps.get(key)?.[0];
}

interface Dependent {
  readonly name: string;
  readonly step: BrokenStep;
}

/** Finds the failure that causes each dependent answer. Adds a failure of the operation when no answer has one. */
function withRoots(failures: readonly Failure[], dependent: readonly Dependent[]) {
  const roots = [...failures];
  const notReached: NotReached[] = [];
  for (const { name, step } of dependent) {
    const { operationId, reason } = step;
    let root = roots.find((failure) => failure.name.split(' ')[0] === operationId && isSuccess(failure));
    if (root === undefined) {
      root = { name: operationId, reasons: [`To prepare ${name}, ${reason}`] };
      roots.push(root);
    }
    notReached.push({ name, because: root.name });
  }
  return { failures: roots, notReached };
}

/** Whether a failure is of a 2xx or of a whole operation. Only those prepare other answers. */
function isSuccess({ name }: Failure): boolean {
  return !/ [345]/.test(name);
}
