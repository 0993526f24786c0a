import type { WireNotification } from '../../../gateway/wire.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import type { Shop } from '../../support/shop.ts';

/** Payments of 10,000 centavos by card and of 5,000 by Pix and boleto, at every point of their way. */
export const SCENES = {
  'card, open': async (shop) => (await withLostAnswers(shop.service, () => shop.cardPayment())).id,
  'card, authorized': async (shop) => (await shop.authorized()).id,
  'card, paid': async (shop) => (await shop.cardPayment()).id,
  'card, refused': async (shop) => (await shop.cardPayment({ number: '4000000000009995' })).id,
  'card, sealed': async (shop) => {
    const spy = shop.service.intercept(() => ({
      authorize: async () => ({ kind: 'unknown', cause: 'x' }),
    }));
    const { id } = await shop.cardPayment();
    spy.undo();
    await reconcile(shop.service);
    shop.service.setAhead(0);
    return id;
  },
  'capture, open': async (shop) => {
    const { id } = await shop.authorized();
    await withLostAnswers(shop.service, () => shop.capture(id, 4_000));
    return id;
  },
  'capture, refused': async (shop) => {
    const { id } = await shop.authorized('4000000000001174');
    await shop.capture(id, 4_000);
    return id;
  },
  'capture, done': async (shop) => {
    const { id } = await shop.authorized();
    await shop.capture(id, 4_000);
    return id;
  },
  'cancel, open': async (shop) => {
    const { id } = await shop.authorized();
    await withLostAnswers(shop.service, () => shop.cancel(id));
    return id;
  },
  'cancel, refused': async (shop) => {
    const { id } = await shop.authorized('4000000000001208');
    await shop.cancel(id);
    return id;
  },
  'cancel, done': async (shop) => {
    const { id } = await shop.authorized();
    await shop.cancel(id);
    return id;
  },
  'refund, open': async (shop) => {
    const { id } = await shop.cardPayment({ number: '4000000000007726' });
    await shop.refund(id, 4_000);
    return id;
  },
  'refund, denied': async (shop) => {
    const { id } = await shop.cardPayment({ number: '4000000000001240' });
    await shop.refund(id, 4_000);
    return id;
  },
  'refund, done': async (shop) => {
    const { id } = await shop.cardPayment();
    await shop.refund(id, 4_000);
    return id;
  },
  'refund of all, done': async (shop) => {
    const { id } = await shop.cardPayment();
    await shop.refund(id);
    return id;
  },
  'card, charged back': async (shop) => {
    const { id } = await shop.cardPayment();
    await shop.simulate(id, 'chargeback_requested');
    await shop.simulate(id, 'chargeback_lost');
    return id;
  },
  'Pix, waiting': async (shop) => (await shop.pixPayment()).id,
  'Pix, refused': async (shop) => (await shop.pixPayment(99_990_002)).id,
  'Pix, paid': async (shop) => {
    const { id } = await shop.pixPayment();
    await shop.simulate(id, 'paid');
    return id;
  },
  'Pix, canceled': async (shop) => {
    const { id } = await shop.pixPayment();
    await shop.cancel(id);
    return id;
  },
  'boleto, waiting': async (shop) => (await shop.bankSlipPayment()).id,
  'boleto, expired': async (shop) => {
    const { id } = await shop.bankSlipPayment();
    await shop.simulate(id, 'expired');
    return id;
  },
  'boleto, paid': async (shop) => {
    const { id } = await shop.bankSlipPayment();
    await shop.simulate(id, 'paid');
    return id;
  },
} as const satisfies Record<string, (shop: Shop) => Promise<string>>;

/** Names the transfer of a Pix. */
const E2E = 'E99999004202611212107abcdefghijk';

type Row = readonly [
  scene: keyof typeof SCENES,
  /** Whose reference the notification carries: the payment's, or that of its last operation. */
  of: 'payment' | 'following',
  type: WireNotification['type'],
  amount_centavos: number | null,
  reason: string,
  fields?: Partial<WireNotification>,
];

/** What the acquirer reports although it cannot be, and why. */
export const WRONG_REPORTS: readonly Row[] = [
  // Another amount, or none.
  ['card, open', 'payment', 'authorization.approved', 10, 'amount_mismatch'],
  ['card, open', 'payment', 'authorization.refused', 10, 'amount_mismatch'],
  ['capture, open', 'following', 'capture.approved', 100, 'amount_mismatch'],
  ['capture, open', 'following', 'capture.approved', 10_000, 'amount_mismatch'],
  ['capture, open', 'following', 'capture.approved', null, 'amount_missing'],
  ['capture, open', 'following', 'capture.refused', 1, 'amount_mismatch'],
  ['cancel, open', 'following', 'cancel.approved', 1, 'amount_mismatch'],
  ['refund, open', 'following', 'refund.approved', 1, 'amount_mismatch'],
  ['refund, open', 'following', 'refund.refused', 1, 'amount_mismatch'],
  ['refund, open', 'following', 'refund.approved', null, 'amount_missing'],
  ['Pix, waiting', 'payment', 'pix.paid', null, 'amount_missing', { end_to_end_id: E2E }],
  ['Pix, waiting', 'payment', 'pix.paid', 4_999, 'amount_mismatch'],
  ['boleto, waiting', 'payment', 'bank_slip.paid', 4_999, 'amount_mismatch'],
  ['boleto, expired', 'payment', 'bank_slip.paid', 5_001, 'amount_mismatch'],
  ['boleto, expired', 'payment', 'bank_slip.paid', null, 'amount_missing'],
  ['Pix, waiting', 'payment', 'pix.paid', 5_001, 'amount_mismatch'],
  ['Pix, waiting', 'payment', 'pix.paid', 0, 'amount_mismatch'],
  ['Pix, waiting', 'payment', 'pix.expired', null, 'amount_missing'],
  ['capture, done', 'payment', 'chargeback.requested', 10_000, 'amount_mismatch'],
  ['card, paid', 'payment', 'chargeback.requested', 1, 'amount_mismatch'],
  ['card, paid', 'payment', 'chargeback.requested', null, 'amount_missing'],
  ['refund, done', 'payment', 'chargeback.requested', 5_999, 'amount_mismatch'],
  ['refund, done', 'payment', 'chargeback.requested', 9_999, 'amount_mismatch'],
  ['refund, open', 'payment', 'chargeback.requested', 6_001, 'amount_mismatch'],
  ['refund, denied', 'payment', 'chargeback.requested', 9_999, 'amount_mismatch'],
  // A refund that has its result is subtracted if it succeeded, and only then.
  ['refund, done', 'payment', 'chargeback.requested', 10_000, 'amount_mismatch'],
  ['refund, denied', 'payment', 'chargeback.requested', 6_000, 'amount_mismatch'],
  ['refund of all, done', 'payment', 'chargeback.requested', 10_000, 'amount_mismatch'],
  ['refund of all, done', 'payment', 'chargeback.requested', 0, 'amount_mismatch'],
  // Another method.
  ['card, authorized', 'payment', 'pix.refused', 10_000, 'method_mismatch'],
  ['card, authorized', 'payment', 'pix.paid', 10_000, 'method_mismatch'],
  ['Pix, waiting', 'payment', 'authorization.refused', 5_000, 'method_mismatch'],
  ['Pix, waiting', 'payment', 'authorization.fraud_detected', 5_000, 'method_mismatch'],
  ['Pix, waiting', 'payment', 'pix.paid', 5_000, 'method_mismatch', { method: 'credit_card' }],
  ['refund, open', 'following', 'refund.approved', 4_000, 'method_mismatch', { method: 'pix' }],
  ['card, paid', 'payment', 'chargeback.requested', 10_000, 'method_mismatch', { method: 'debit_card' }],
  ['boleto, waiting', 'payment', 'pix.paid', 5_000, 'method_mismatch'],
  ['Pix, waiting', 'payment', 'bank_slip.paid', 5_000, 'method_mismatch'],
  // None.
  ['card, authorized', 'payment', 'cancel.approved', 10_000, 'method_missing', { method: null }],
  ['card, paid', 'payment', 'chargeback.requested', 10_000, 'method_missing', { method: null }],
  ['refund, open', 'following', 'refund.approved', 4_000, 'method_missing', { method: null }],
  ['Pix, waiting', 'payment', 'pix.paid', 5_000, 'method_missing', { method: null }],
  // The reference of something else.
  ['card, authorized', 'payment', 'capture.approved', 10_000, 'operation_mismatch'],
  ['card, paid', 'payment', 'refund.approved', 10_000, 'operation_mismatch'],
  ['card, authorized', 'payment', 'cancel.refused', 10_000, 'operation_mismatch'],
  ['capture, open', 'following', 'cancel.approved', 4_000, 'operation_mismatch'],
  ['refund, open', 'following', 'chargeback.requested', 4_000, 'operation_mismatch'],
  // The contrary of what was reported before.
  ['card, authorized', 'payment', 'authorization.refused', 10_000, 'refused_after_approval'],
  ['card, paid', 'payment', 'authorization.refused', 10_000, 'refused_after_approval'],
  ['capture, done', 'following', 'capture.refused', 4_000, 'refused_after_approval'],
  ['cancel, done', 'following', 'cancel.refused', 10_000, 'refused_after_approval'],
  ['refund, done', 'following', 'refund.refused', 4_000, 'refused_after_approval'],
  ['card, refused', 'payment', 'authorization.approved', 10_000, 'approved_after_refusal'],
  ['card, sealed', 'payment', 'authorization.approved', 10_000, 'approved_after_refusal'],
  ['capture, refused', 'following', 'capture.approved', 4_000, 'approved_after_refusal'],
  ['cancel, refused', 'following', 'cancel.approved', 10_000, 'approved_after_refusal'],
  ['refund, denied', 'following', 'refund.approved', 4_000, 'approved_after_refusal'],
  ['Pix, paid', 'payment', 'pix.paid', 5_000, 'paid_twice', { end_to_end_id: E2E }],
  ['boleto, paid', 'payment', 'bank_slip.paid', 5_000, 'paid_twice'],
  // What cannot happen to a payment that is where this one is.
  ['boleto, paid', 'payment', 'chargeback.requested', 5_000, 'not_disputable'],
  ['boleto, paid', 'payment', 'chargeback.lost', 5_000, 'not_disputable'],
  ['boleto, waiting', 'payment', 'chargeback.requested', 5_000, 'not_disputable'],
  ['card, refused', 'payment', 'chargeback.requested', 10_000, 'illegal_move'],
  ['card, authorized', 'payment', 'chargeback.requested', 10_000, 'illegal_move'],
  ['cancel, done', 'payment', 'chargeback.lost', 10_000, 'illegal_move'],
  ['card, paid', 'payment', 'authorization.fraud_detected', 10_000, 'illegal_move'],
  ['card, paid', 'payment', 'cancel.approved', 10_000, 'illegal_move'],
  ['card, charged back', 'payment', 'chargeback.won', 10_000, 'illegal_move'],
  ['Pix, canceled', 'payment', 'pix.paid', 5_000, 'illegal_move'],
  ['Pix, canceled', 'payment', 'pix.expired', 5_000, 'illegal_move'],
  ['Pix, refused', 'payment', 'pix.paid', 99_990_002, 'illegal_move'],
  ['Pix, paid', 'payment', 'pix.refused', 5_000, 'illegal_move'],
  ['Pix, paid', 'payment', 'pix.expired', 5_000, 'illegal_move'],
  ['Pix, paid', 'payment', 'cancel.approved', 5_000, 'illegal_move'],
];
