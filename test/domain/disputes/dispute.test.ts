import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Dispute, evidenceProblem, newEvidenceProblem } from '../../../domain/disputes/dispute.ts';
import { disputeMachine } from '../../../domain/disputes/dispute-moves.ts';
import { evidenceMachine } from '../../../domain/disputes/evidence-moves.ts';
import { disputeReason, evidenceDeadline } from '../../../domain/payments/dispute-notice.ts';

const OPENED = new Date('2026-11-20T15:00:00Z');
const DUE = evidenceDeadline(OPENED);

function dispute(fields: Partial<Dispute> = {}): Dispute {
  return {
    id: 'd',
    paymentId: 'p',
    acquirerReference: null,
    status: 'requested',
    amount_centavos: 1_000,
    reason: 'general',
    evidenceDueAt: DUE,
    evidence: [],
    createdAt: OPENED,
    updatedAt: OPENED,
    decidedAt: null,
    ...fields,
  };
}

describe('the time for evidence', () => {
  test('ends with the seventh day after the one on which the dispute was opened, in São Paulo', () => {
    assert.equal(DUE.toISOString(), '2026-11-28T03:00:00.000Z');
    const lateInTheEvening = new Date('2026-11-21T02:59:00Z');
    assert.deepEqual(evidenceDeadline(lateInTheEvening), DUE);
  });

  test('is open until its last millisecond', () => {
    assert.equal(evidenceProblem(dispute(), new Date(DUE.getTime() - 1)), null);
    assert.equal(evidenceProblem(dispute(), DUE), 'The time for evidence is over.');
  });
});

describe('evidence', () => {
  test('is accepted while the dispute is open', () => {
    assert.equal(evidenceProblem(dispute({ status: 'dispute' }), OPENED), null);
    for (const status of ['won', 'lost'] as const) {
      assert.equal(evidenceProblem(dispute({ status }), OPENED), 'The dispute has been decided.');
    }
  });

  test('has a limited number of texts, with those that have no outcome yet', () => {
    const of = (accepted: number, pending: number) => {
      const evidence = Array.from({ length: accepted }, (_, i) => ({
        id: `${i}`,
        text: 'a',
        createdAt: OPENED,
      }));
      return newEvidenceProblem(dispute({ evidence }), pending, OPENED);
    };
    assert.equal(of(4, 0), null);
    assert.match(of(5, 0)!, /5 texts/);
    assert.equal(of(2, 2), null);
    assert.match(of(2, 3)!, /5 texts/);
  });

  test('is settled once', () => {
    for (const state of ['accepted', 'refused'] as const) {
      for (const move of ['accept', 'refuse'] as const) {
        assert.equal(evidenceMachine.allows(move, state), false, `${move} of ${state}`);
      }
    }
  });
});

describe('a dispute', () => {
  test('that is decided stays decided', () => {
    for (const status of ['won', 'lost'] as const) {
      for (const move of ['contest', 'win', 'lose'] as const) {
        assert.equal(disputeMachine.allows(move, status), false, `${move} of ${status}`);
      }
    }
  });

  test('can be won and lost without evidence', () => {
    assert.equal(disputeMachine.next('win', 'requested', { by: 'acquirer' }), 'won');
    assert.equal(disputeMachine.next('lose', 'requested', { by: 'acquirer' }), 'lost');
  });

  test('can be reduced while it is open and after it is lost, but not after it is won', () => {
    for (const status of ['requested', 'dispute', 'lost'] as const) {
      assert.equal(disputeMachine.next('reduce', status, { by: 'acquirer' }), status);
    }
    assert.equal(disputeMachine.allows('reduce', 'won'), false);
  });
});

test('a reason that is not known is general', () => {
  assert.equal(disputeReason('product_not_received'), 'product_not_received');
  assert.equal(disputeReason('4837'), 'general');
  assert.equal(disputeReason(null), 'general');
});
