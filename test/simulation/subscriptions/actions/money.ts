import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { deliver, notification } from '../../../support/payments/notifications.ts';
import { created } from '../../../support/shop.ts';
import { fail, settle, withdraw } from '../model/cycle.ts';
import { loseMoneyOf, settleUpgrade } from '../model/merchant.ts';
import { type Method, waitsForMandate } from '../model/state.ts';
import { sentNotifications } from '../sent-notifications.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, anySubscription, preferably } from './action.ts';
import { paymentOf } from './payer.ts';

interface PaidPayment {
  readonly id: string;
  /** Null for the charge of an upgrade. */
  readonly cycle: number | null;
  readonly amount: number;
  readonly method: Method;
}

/** A payment of a subscription that is not refunded in full, and lost no dispute; undefined if there is none. */
export async function paidPayment(world: World, { id }: Simulated): Promise<PaidPayment | undefined> {
  const rows = await world.service.rows<PaidPayment>(
    `select id, cycle, captured_centavos - refunded_centavos as amount, method from payments
      where slot = :slot and merchant_id = :account and subscription_id = :id and status in ('paid', 'partially_refunded')
      order by cycle nulls first, id`,
    { ...world.key, id },
  );
  return rows.length === 0 ? undefined : world.random.oneIn(3) ? world.random.pick(rows) : rows.at(-1);
}

function loseMoney(world: World, { model }: Simulated, { cycle }: PaidPayment): void {
  if (cycle !== null) loseMoneyOf(model, cycle, world.now);
}

export const refund: Action = {
  name: 'refund',
  weight: 2,
  async run(world) {
    const subscription = anySubscription(world);
    const payment = subscription && (await paidPayment(world, subscription));
    if (payment === undefined || !world.isApproved) return null;
    const isPartial = payment.amount > 1 && world.random.oneIn(3);
    const part = isPartial ? world.random.integer(1, payment.amount - 1) : undefined;
    const { status } = await created(world.shop.refund(payment.id, part));
    assert.equal(status, 'succeeded');
    if (!isPartial) loseMoney(world, subscription!, payment);
    return `${subscription!.id} cycle ${payment.cycle} ${part ?? ''}`;
  },
};

/** The merchant cancels the charge of a cycle that waits for its money. */
export const cancelCharge: Action = {
  name: 'cancel the charge',
  weight: 2,
  async run(world) {
    const isStoppable = ({ model }: Simulated) =>
      model.open?.attempt?.state === 'waiting' && !waitsForMandate(model);
    const subscription = preferably(world, isStoppable);
    if (subscription === undefined || !isStoppable(subscription)) return null;
    const { model } = subscription;
    const attempt = model.open!.attempt!;
    const id = await paymentOf(world, subscription, attempt);
    const { status, body, text } = await world.shop.post(`/payments/${id}/cancel`);
    const isCanceled = withdraw(model, world.now);
    if (isCanceled) fail(model, attempt, 'refused', world.now);
    // A refusal whose answer is lost is known later (row 7.10).
    const isUnknown = world.acquirer.lostAnswers.length > 0 && body.status === 'processing';
    assert.equal(status, isCanceled || isUnknown ? 200 : 422, text);
    return `${subscription.id} ${attempt.method} ${attempt.dueOn}: ${status}`;
  },
};

export const dispute: Action = {
  name: 'dispute',
  weight: 1,
  async run(world) {
    const subscription = anySubscription(world);
    const payment = subscription && (await paidPayment(world, subscription));
    if (payment === undefined || payment.method === 'bank_slip') return null;
    const outcome = world.random.pick(['chargeback_won', 'chargeback_lost'] as const);
    await world.shop.simulate(payment.id, 'chargeback_requested');
    await world.shop.simulate(payment.id, outcome);
    if (outcome === 'chargeback_lost') loseMoney(world, subscription!, payment);
    return `${subscription!.id} cycle ${payment.cycle} ${outcome}`;
  },
};

/**
 * The acquirer repeats an earlier notification of any kind: the same one, or its report in another one. It changes
 * nothing.
 */
export const notifyTwice: Action = {
  name: 'notify twice',
  weight: 3,
  async run({ service, account, random }) {
    const sent = await sentNotifications(service, account);
    if (sent.length === 0) return null;
    const report = random.oneIn(2) ? sent.at(-1)! : random.pick(sent);
    const id = random.oneIn(2) ? report.id : randomUUID();
    assert.equal(await deliver(service, { ...report, id }), 204);
    return `${report.type} ${id === report.id ? '' : 'in another one'}`;
  },
};

/** The acquirer notifies the approval of a card's charge: of one without an answer, or once more. */
export const notify: Action = {
  name: 'notify',
  weight: 3,
  async run(world) {
    const subscription = anySubscription(world);
    if (subscription === undefined) return null;
    const [approved] = await world.service.rows<{ reference: string; amount: number; cycle: number | null }>(
      `select t.reference, p.amount_centavos as amount, p.cycle from simulator.payments t
         join payments p on p.reference = t.reference and p.slot = :slot and p.merchant_id = :account
        where t.account = :account and p.subscription_id = :id and t.captured_centavos > 0
          and p.method = 'credit_card'
        order by (p.status = 'processing') desc, p.created_at desc, p.id desc limit 1`,
      { ...world.key, id: subscription.id },
    );
    if (approved === undefined) return null;
    const { model } = subscription;
    if (approved.cycle === null) {
      if (model.pendingUpgrade?.decision === 'approve') settleUpgrade(model, model.pendingUpgrade);
    } else if (model.open?.attempt?.state === 'processing' && model.open.attempt.decision === 'approve') {
      settle(model, world.now);
    }
    const report = notification(world.account, approved.reference, 'authorization.approved', {
      id: randomUUID(),
      amount_centavos: approved.amount,
      occurred_at: new Date(world.now).toISOString(),
    });
    for (let times = world.random.integer(1, 2); times > 0; times--) {
      assert.equal(await deliver(world.service, report), 204);
    }
    return subscription.id;
  },
};
