import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcquirerUpdate } from '../../../domain/payments/acquirer-report.ts';
import { assignedChanges } from '../../../domain/payments/inquired-disputes.ts';
import type { DisputeOnRecord } from '../../../domain/payments/judge-dispute.ts';
import type { PaymentStatus } from '../../../domain/payments/payment.ts';

type State = 'requested' | 'dispute' | 'won' | 'lost';

/** `requested 1 d-1`: what happened, when, and the id of the dispute if there is one. */
function change(text: string): { text: string; report: AcquirerUpdate } {
  const [state, at, reference = null] = text.split(' ');
  const dispute = { reference, previousReference: null, reason: 'general', evidenceDueAt: null } as const;
  const report = {
    ...{ update: `chargeback_${state as State}` as const, methods: null, amount_centavos: 1 },
    ...{ endToEndId: null, occurredAt: new Date(Number(at)), dispute },
  };
  return { text, report };
}

/** `chargeback_requested 2`: the statuses and their times. `won` or `open d-2`: the disputes. */
function assigned(answer: readonly string[], history: readonly string[], disputes: readonly string[]) {
  const steps = history.map((text) => {
    const [status, at] = text.split(' ');
    return { status: status as PaymentStatus, at: new Date(Number(at)) };
  });
  const onRecord = disputes.map((text) => {
    const [state, reference = null] = text.split(' ');
    return { state: state as DisputeOnRecord['state'], reference };
  });
  const payment = { status: steps.at(-1)!.status, history: steps };
  return assignedChanges(answer.map(change), payment, onRecord).map(({ text }) => text);
}

const [PAID, WON] = ['paid 0', ['chargeback_requested 2', 'paid 5']];

test('with the ids of all disputes, all changes are assigned', () => {
  const answer = ['requested 1 d-1', 'won 4 d-1', 'requested 6 d-2'];
  assert.deepEqual(assigned(answer, [PAID], []), answer);
  assert.deepEqual(assigned(answer, [PAID, 'chargeback_requested 7'], ['won d-1', 'open d-2']), answer);
});

test('one missing id is enough that no earlier dispute is', () => {
  const history = [PAID, ...WON, 'chargeback_requested 7'];
  assert.deepEqual(
    assigned(['requested 1 d-1', 'won 4 d-1', 'requested 6'], history, ['won d-1', 'open']),
    [],
  );
  assert.deepEqual(
    assigned(['requested 1 d-1', 'won 4 d-1', 'requested 6 d-2'], history, ['won', 'open d-2']),
    [],
  );
  // The open dispute has no row.
  assert.deepEqual(assigned(['requested 1 d-1', 'won 4 d-1', 'requested 6 d-2'], history, ['won d-1']), []);
});

test('the only dispute that is not on record is assigned', () => {
  assert.deepEqual(assigned(['requested 1', 'won 2'], [PAID], []), ['requested 1', 'won 2']);
  const answer = ['requested 1', 'won 4', 'requested 6', 'dispute 7'];
  assert.deepEqual(assigned(answer, [PAID, ...WON], ['won']), ['requested 6', 'dispute 7']);
});

test('but not beside one that is open or lost, or before the end of the last one on record', () => {
  const answer = ['requested 1', 'won 4', 'requested 6', 'lost 8'];
  assert.deepEqual(assigned(answer, [PAID, 'chargeback_requested 2'], ['open']), []);
  assert.deepEqual(assigned(answer, [PAID, 'chargeback_lost 9'], ['lost']), []);
  // The dispute on record is the second one.
  assert.deepEqual(assigned(answer, [PAID, 'chargeback_requested 7', 'paid 9'], ['won']), []);
});

test('the end of the dispute that is open on record is assigned', () => {
  const history = [PAID, ...WON, 'chargeback_requested 7'];
  const answer = ['requested 1', 'won 4', 'requested 6', 'dispute 7', 'lost 9'];
  assert.deepEqual(assigned(answer, history, ['won', 'open']), ['dispute 7', 'lost 9']);
});

test('the same if it was examined before it was opened here', () => {
  const history = [PAID, 'chargeback_requested 3', 'chargeback_dispute 3'];
  assert.deepEqual(assigned(['requested 1', 'dispute 2', 'won 9'], history, ['open']), ['won 9']);
});

test('but not if the open one was opened at another time', () => {
  // The answer ends before the dispute on record.
  assert.deepEqual(assigned(['requested 1', 'won 4'], [PAID, 'chargeback_requested 7'], ['open']), []);
  const examined = ['requested 1', 'dispute 2', 'won 4'];
  assert.deepEqual(assigned(examined, [PAID, 'chargeback_requested 7'], ['open']), []);
  // The answer has no dispute before this one.
  assert.deepEqual(assigned(['requested 6', 'lost 9'], [PAID, 'chargeback_requested 2'], ['open']), []);
  assert.deepEqual(assigned(['requested 1', 'won 4'], [PAID, ...WON], ['won']), []);
});

test('of two that are missing, or one that is missing in the answer, none is', () => {
  assert.deepEqual(assigned(['requested 1', 'won 2', 'requested 3'], [PAID], []), []);
  const history = [PAID, ...WON, 'chargeback_requested 7'];
  assert.deepEqual(assigned(['requested 6', 'won 9'], history, ['won', 'open']), []);
  assert.deepEqual(assigned(['won 9'], [PAID, 'chargeback_requested 7'], ['open']), []);
  assert.deepEqual(assigned([], [PAID], []), []);
});
