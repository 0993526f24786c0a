import assert from 'node:assert/strict';
import type { Outcome, OutcomeSubject } from '../../gateway/acquirer.ts';

/** What an answer of the acquirer says that it is about. */
export function subjectOf(outcome: Outcome): OutcomeSubject {
  assert.ok(outcome.kind !== 'unknown', 'the acquirer did not answer');
  const { operation, method, amount_centavos } = outcome;
  return { operation, method, amount_centavos };
}
