import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inBulk } from '../../../db/engine/bulk.ts';
import type { Tx } from '../../../db/engine/database.ts';
import { movePaymentRow } from '../../../db/payments/move-payment-row.ts';
import { findPayment, lockPayment } from '../../../db/payments/payments.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service);
const { merchant } = shop.onboarded;
const LATER = new Date('2031-05-01T12:00:00.123Z');

const SHARE = {
  recipient: 3,
  recipientId: '00000000-0000-7000-8000-000000000011',
  type: 'fixed',
  value: 40,
  bearsFee: true,
  takesRemainder: false,
  isLiable: true,
  share_centavos: 40,
  fee_centavos: 4,
} as const;

/** Locks a payment, writes what `change` makes of it, and reads it again. */
async function write(id: string, change: (payment: Payment) => Partial<Payment>) {
  return service.deps.db.transaction(merchant, async (tx: Tx) => {
    const before = (await lockPayment(tx, merchant, id))!;
    const after = { ...before, ...change(before) };
    const isWritten = await movePaymentRow(tx, merchant, { before, after, events: [], postings: [] });
    return { isWritten, after, read: await findPayment(tx, merchant, id) };
  });
}

const step = (payment: Payment, status: Payment['status']) => ({
  status,
  history: [...payment.history, { status, at: LATER }],
});

describe('a payment is read as it was written', () => {
  const refusal = { code: 'fraud', message: 'No.', retryable: false };

  test('by card', async () => {
    const { id } = await shop.authorized();
    const changes: ((payment: Payment) => Partial<Payment>)[] = [
      () => ({ pendingOperation: 'capture', dueAt: LATER }),
      (p) => ({ ...step(p, 'processing'), updatedAt: LATER }),
      (p) => ({ ...step(p, 'pre_authorized'), pendingOperation: null, dueAt: null }),
      (p) => ({ details: { ...p.details, authorizationCode: null } }),
      (p) => ({ details: { ...p.details, authorizationCode: 'A1' } }),
      (p) => ({ ...step(p, 'paid'), captured_centavos: 90, fee_centavos: 9, capturedOn: '2031-05-01' }),
      () => ({ split: [SHARE] }),
      (p) => ({ ...step(p, 'refund_in_progress'), refunding_centavos: 40 }),
      (p) => ({ ...step(p, 'partially_refunded'), refunding_centavos: 0, refunded_centavos: 40 }),
    ];
    for (const change of changes) {
      const { isWritten, after, read } = await write(id, change);
      assert.deepEqual([isWritten, read], [true, after]);
    }
    const { id: refused } = await shop.authorized();
    const { after, read } = await write(refused, (p) => ({ ...step(p, 'refused'), refusal }));
    assert.deepEqual(read, after);
  });

  test('by Pix', async () => {
    const { id } = await shop.pixPayment();
    const pix = { qrCode: 'code', qrImage: 'image', endToEndId: 'E1' };
    const { after, read } = await write(id, (p) => ({ details: { ...p.details, ...pix } }));
    assert.deepEqual(read, after);
  });
});

test('changes of several payments in bulk are written like single ones', async () => {
  const refusal = { code: 'fraud', message: 'No.', retryable: false };
  const changes: ((payment: Payment) => Partial<Payment>)[] = [
    (p) => ({ ...step(p, 'refused'), refusal, updatedAt: LATER }),
    (p) => ({ ...step(p, 'canceled') }),
    () => ({ pendingOperation: 'capture', dueAt: LATER }),
    (p) => ({ ...step(p, 'paid'), captured_centavos: 90, fee_centavos: 9, capturedOn: '2031-05-01' }),
    (p) => ({ details: { ...p.details, authorizationCode: 'A1' } }),
    () => ({ split: [SHARE] }),
  ];
  const ids = await Promise.all(changes.map(async () => (await shop.authorized()).id));
  const written = await service.deps.db.transaction(merchant, async (single) => {
    const tx = inBulk(single);
    return Promise.all(
      ids.map(async (id, i) => {
        const before = (await lockPayment(tx, merchant, id))!;
        const after = { ...before, ...changes[i]!(before) };
        const isWritten = await movePaymentRow(tx, merchant, { before, after, events: [], postings: [] });
        return { isWritten, after, read: await findPayment(single, merchant, id) };
      }),
    );
  });
  for (const { isWritten, after, read } of written) assert.deepEqual([isWritten, read], [true, after]);
});

test('a payment in bulk whose state has changed since it was read is not written', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, async () => (await shop.authorized()).id));
  const written = await service.deps.db.transaction(merchant, async (single) => {
    const tx = inBulk(single);
    return Promise.all(
      ids.map(async (id, i) => {
        const read = (await lockPayment(tx, merchant, id))!;
        const before = i === 2 ? { ...read, status: 'paid' as const } : read;
        const after = { ...before, ...step(before, 'canceled') };
        return movePaymentRow(tx, merchant, { before, after, events: [], postings: [] });
      }),
    );
  });
  assert.deepEqual(written, [true, true, false, true, true, true]);
});

describe('nothing is written if the state of the payment has changed since it was read', () => {
  test('another status', async () => {
    const { id } = await shop.authorized();
    const stale = await write(id, (p) => ({ ...step(p, 'canceled') }));
    const isWritten = await service.deps.db.transaction(merchant, (tx) => {
      const before = { ...stale.after, status: 'pre_authorized' } as const;
      return movePaymentRow(tx, merchant, {
        before,
        after: { ...before, ...step(before, 'paid') },
        events: [],
        postings: [],
      });
    });
    assert.equal(isWritten, false);
  });

  test('another pending operation', async () => {
    const { id } = await shop.authorized();
    const { after } = await write(id, () => ({ pendingOperation: 'void' }));
    for (const pendingOperation of [null, 'capture'] as const) {
      const before = { ...after, pendingOperation };
      const isWritten = await service.deps.db.transaction(merchant, (tx) =>
        movePaymentRow(tx, merchant, {
          before,
          after: { ...before, ...step(before, 'canceled') },
          events: [],
          postings: [],
        }),
      );
      assert.equal(isWritten, false);
    }
    assert.deepEqual(await findPayment(service.deps.db, merchant, id), after);
  });
});
