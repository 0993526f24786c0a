import { plainLine } from '../../../scripts/test/counts.ts';
import type { Failure, Proof } from './prove-contract.ts';

const LONGEST_BODY_SHOWN = 2_000;

/**
 * The proof as lines to read: what is wrong with its request and its answer, then what was not reached or not asked
 * for, and the count as the last line.
 */
export function printProof({ proven, failures, notReached, notRequested }: Proof): string {
  const operations = new Set(proven.map((name) => name.split(' ')[0])).size;
  return [
    ...failures.map((failure) => `${describeFailure(failure)}\n`),
    ...grouped(
      'NOT REACHED because of',
      notReached.map(({ name, because }) => ({ name, reason: because })),
    ),
    ...grouped(
      'NOT ASKED, as it needs',
      notRequested.map(({ name, why }) => ({ name, reason: why })),
    ),
    `${proven.length} documented answers of ${operations} operations proven by Dredd.`,
    plainLine({
      passed: proven.length,
      failed: failures.length,
      skipped: notReached.length + notRequested.length,
    }),
  ].join('\n');
}

/** One line for each reason, with the names that share it. */
function grouped(title: string, rows: readonly { name: string; reason: string }[]): string[] {
  const groups = Map.groupBy(rows, ({ reason }) => reason);
  return [...groups].map(
    ([reason, members]) => `${title} ${reason}: ${members.map(({ name }) => name).join(', ')}\n`,
  );
}

function describeFailure({ name, reasons, test }: Failure): string {
  const lines = [`FAILED ${name}`, ...reasons.map((reason) => `  ${reason}`)];
  if (test?.request !== undefined) {
    const { method, uri, headers, body } = test.request;
    lines.push(`  > ${method} ${uri}`, ...headerLines('>', headers), `  > ${shortened(body)}`);
  }
  if (test?.actual !== undefined) {
    const { statusCode, headers, body } = test.actual;
    lines.push(`  < ${statusCode}`, ...headerLines('<', headers), `  < ${shortened(body ?? '')}`);
  }
  return lines.join('\n');
}

function headerLines(mark: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `  ${mark} ${name}: ${value}`);
}

function shortened(body: string): string {
  return body.length <= LONGEST_BODY_SHOWN
    ? body
    : `${body.slice(0, LONGEST_BODY_SHOWN)}… (${body.length} characters)`;
}
