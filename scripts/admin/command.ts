import type { Operator } from './operator.ts';

/** How people start the program. */
export const CALL = 'npm run -s admin --';

/** An id for examples. */
export const SAMPLE_ID = '019a5f0e-7c1d-7b3a-9f2e-4d5c6b7a8091';

/** The result of a command: one JSON document for programs, text for people. */
export interface Output {
  readonly json: unknown;
  readonly text: string;
  /** A sentence about a part that failed. It is reported after the output, and the exit code is 1. */
  readonly failure?: string;
}

/** Opens the database, does the work, and prints its output as text, or as JSON with `--json`. */
export type Run = (work: (operator: Operator) => Promise<Output>) => Promise<void>;

/** The end of a command's help: calls that a person can copy. Each is what follows `CALL`. */
export function examples(...calls: readonly string[]): string {
  return ['\nExamples:', ...calls.map((call) => `  ${CALL} ${call}`)].join('\n');
}
