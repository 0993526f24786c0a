import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiscrepancyStatus } from '../../../domain/payments/discrepancy.ts';
import { discrepancyMachine } from '../../../domain/payments/discrepancy-moves.ts';
import { actorsAndEvents, stepsOf } from '../../support/payments/machine-steps.ts';

const STATUSES: readonly DiscrepancyStatus[] = ['open', 'closed'];

test('a discrepancy is closed once, by a person or by a later comparison, without an event', () => {
  assert.deepEqual(stepsOf(discrepancyMachine, STATUSES), { close: ['open → closed'] });
  assert.deepEqual(actorsAndEvents(discrepancyMachine), { close: { by: 'operator, clock', events: [] } });
});
