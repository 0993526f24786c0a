import assert from 'node:assert/strict';
import { canCancel, cancelBilling } from '../../../../domain/subscriptions/cancel-billing.ts';
import {
  reactivateBilling,
  reactivationProblem,
} from '../../../../domain/subscriptions/reactivate-billing.ts';
import { revokeBilling } from '../../../../domain/subscriptions/revoke-billing.ts';
import { fail, settle } from '../model/cycle.ts';
import { keepCharge, type SentCharge, sentCharge } from '../model/kept-charge.ts';
import { cancel as cancelModel, loseMoneyOf, reactivate as reactivateModel } from '../model/merchant.ts';
import { payable, pay as payModel } from '../model/payer.ts';
import { waitsForMandate } from '../model/state.ts';
import type { Pair } from './pair.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Before a step that is due: a mandate can be requested before it and authorized after it. */
const SHORTLY_MS = HOUR_MS / 3;
/** To the next step that is due. */
const MAX_WAIT_MS = 400 * DAY_MS;

/** Returns what it did, for the log; null if it is not possible now. */
export type PureAction = (pair: Pair) => string | null;

/** Time passes, one time in five in an outage. */
export function passTime(pair: Pair): string {
  const { random, now, dueAt } = pair;
  const isSoon = now < dueAt && dueAt < now + MAX_WAIT_MS && random.oneIn(2);
  const wanted = isSoon
    ? dueAt + random.pick([-SHORTLY_MS, HOUR_MS / 4, 5 * HOUR_MS, 20 * HOUR_MS, 2 * DAY_MS])
    : now + random.integer(1, random.pick([4, 25])) * DAY_MS + random.integer(-12, 12) * HOUR_MS;
  const to = wanted > now ? wanted : now + HOUR_MS;
  const isOutage = random.oneIn(5);
  if (isOutage) {
    pair.now = to;
    pair.work();
  } else {
    pair.advance(to);
  }
  return `${isOutage ? 'outage until' : 'advance to'} ${new Date(to).toISOString()}`;
}

export function cancel(pair: Pair): string {
  const { engine, model, now } = pair;
  const sent = sentCharge(model);
  const isAllowed = canCancel(engine.billing);
  assert.equal(isAllowed, cancelModel(model, now), 'cancel: the engine, then the model');
  if (isAllowed) engine.apply(cancelBilling(engine.billing, 'merchant', new Date(now)));
  return `cancel: ${isAllowed}${refuseWithdrawal(pair, sent)}`;
}

/** The acquirer does not cancel one in three charges that are withdrawn. `sent`: the charge before that. */
export function refuseWithdrawal({ random, engine, model }: Pair, sent: SentCharge | null): string {
  if (sent?.attempt.state !== 'canceled' || !random.oneIn(3)) return '';
  keepCharge(model, sent);
  engine.keep(sent.open.cycle);
  return ', but its charge is not canceled';
}

export function reactivate({ engine, model, now }: Pair): string {
  const isAllowed = reactivationProblem(engine.billing, new Date(now)) === null;
  assert.equal(isAllowed, reactivateModel(model, now), 'reactivate: the engine, then the model');
  if (isAllowed) engine.apply(reactivateBilling(engine.billing, new Date(now)));
  return `reactivate: ${isAllowed}`;
}

/** The customer pays a boleto or a Pix, a boleto also after it has expired. */
export function pay({ random, engine, model }: Pair): string | null {
  const attempts = payable(model);
  if (attempts.length === 0) return null;
  const attempt = random.oneIn(3) ? random.pick(attempts) : attempts.at(-1)!;
  const index = model.open!.invoice.attempts.indexOf(attempt);
  payModel(model, attempt);
  engine.pay(index);
  return `pay the ${attempt.method} due on ${attempt.dueOn}`;
}

/**
 * The acquirer refuses a charge that waits for its payment, or the merchant cancels it. One refusal in four is final.
 * One charge by a mandate in three was never received.
 */
export function stopCharge({ random, engine, model, now }: Pair): string | null {
  const attempt = model.open?.attempt;
  if (attempt?.state !== 'waiting' || waitsForMandate(model)) return null;
  if (attempt.method === 'pix_recurring' && random.oneIn(3)) {
    attempt.decision = 'not_sent';
    settle(model, now);
    engine.latest!.state = 'refused';
    engine.latest!.isUnsent = true;
    engine.settle({ kind: 'not_sent' });
    return `the ${attempt.method} due on ${attempt.dueOn} was never received`;
  }
  const isFinal = random.oneIn(4);
  const state = isFinal || random.oneIn(2) ? 'refused' : 'canceled';
  attempt.decision = isFinal ? 'hard' : 'soft';
  attempt.state = state;
  fail(model, attempt, 'refused', now);
  engine.latest!.state = state;
  engine.settle({ kind: 'refused', mayRetry: !isFinal });
  return `the ${attempt.method} due on ${attempt.dueOn} is ${state}${isFinal ? ' for good' : ''}`;
}

/** A payment is refunded in full, mostly that of the latest cycle. */
export function refund({ random, engine, model, now }: Pair): string | null {
  const { paidCycles } = model;
  if (paidCycles === 0 || !random.oneIn(3)) return null;
  const cycle = random.oneIn(4) ? random.integer(1, paidCycles) : paidCycles;
  loseMoneyOf(model, cycle, now);
  const change = revokeBilling(engine.billing, cycle, new Date(now));
  if (change !== null) engine.apply(change);
  return `refund cycle ${cycle}`;
}
