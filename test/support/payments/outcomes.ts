import assert from 'node:assert/strict';
import type { Outcome, OutcomeSubject } from '../../../gateway/acquirer.ts';

/** The operation, method and amount in an answer of the acquirer. */
export function subjectOf(outcome: Outcome): OutcomeSubject {
  assert.ok(outcome.kind !== 'unknown', 'the acquirer did not answer');
  const { operation, method, amount_centavos } = outcome;
  return { operation, method, amount_centavos };
}
