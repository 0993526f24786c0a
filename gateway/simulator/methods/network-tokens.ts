import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations.ts';
import { startOfMerchantDay } from '../../../domain/local-time.ts';
import type { WireCardUpdate } from '../../card-update.ts';
import { type Answer, decide, repeatAnswer } from '../answers.ts';
import { BEHAVIOURS, SHORT_DELAY_MS } from '../behaviours.ts';
import { pendingPayment } from '../create-payment.ts';
import { type Tx, transaction } from '../database.ts';
import type { Fields } from '../fields.ts';
import { send } from '../notifications.ts';
import { insertOperation, insertPayment, type Operation } from '../operations.ts';
import { changePayment, type Payment, type PaymentCard } from '../payments.ts';
import { networkToken } from '../random.ts';
import { schedulePaymentEvent } from '../scheduled-events.ts';
import type { Simulator } from '../simulator.ts';
import { cardOfNumber } from './card.ts';

/** For how long an issuer makes a new card. */
const NEW_CARD_YEARS = 4;
const REPLACED_AFTER_MS = 10 * DAY_MS;

/** The request does not name its customer. */
const NO_CUSTOMER = { id: '', document: null };

/**
 * Enrols a card with its network. The token is random, and is stored as the credential of an authorization of 0. The
 * card's number chooses the behaviour and is not stored.
 */
export async function requestNetworkToken(
  simulator: Simulator,
  request: Operation,
  fields: Fields,
): Promise<Answer> {
  const { card, behaviour } = cardOfNumber(fields);
  const token = networkToken();
  const payment: Payment = {
    ...pendingPayment({ ...request, amount_centavos: 0, customer: NO_CUSTOMER }),
    method: 'credit_card',
    card,
    behaviour,
    state: 'authorized',
    credential: token,
  };
  const call = BEHAVIOURS[behaviour].networkToken ?? { outcome: 'approve' };
  const { recorded, outcome } = decide(call, null, { network_token: token });
  const isNew = await transaction(simulator.pool, async (tx) => {
    if (recorded?.status !== 'approved') return insertOperation(tx, request, recorded);
    const created = { operation: request, outcome: recorded, payment };
    if (!(await insertPayment(tx, created))) return false;
    await scheduleUpdate(tx, payment, card, request.requestedAt);
    return true;
  });
  return isNew ? { outcome } : repeatAnswer(simulator.pool, request);
}

/** The issuer renews or replaces the card of a token, and the network reports it. */
export async function updateCard(tx: Tx, token: Payment, { at }: { readonly at: Date }) {
  const update = BEHAVIOURS[token.behaviour].cardUpdate;
  const { card: before, account, reference } = token;
  if (before?.goodThrough == null || update === undefined)
    return { why: 'The card of this token does not change.' };
  const [year, month] = before.goodThrough.split('-') as [string, string];
  const card = {
    ...before,
    goodThrough: `${Number(year) + NEW_CARD_YEARS}-${month}`,
    ...(update === 'replaced' && { last4: otherLast4(before.last4) }),
  };
  await changePayment(tx, token, { card });
  if (update === 'renewed') await scheduleUpdate(tx, token, card, at);
  const { first6: first_6, last4: last_4, goodThrough } = card;
  const reported = { first_6, last_4, exp_month: month, exp_year: goodThrough.slice(2, 4) };
  const notification: WireCardUpdate = {
    id: randomUUID(),
    account,
    reference,
    type: 'network_token.updated',
    occurred_at: at.toISOString(),
    card: reported,
  };
  return { notified: [await send(tx, notification)] };
}

/** A card is renewed on the first day of its last month, or shortly after `from` if that is later. */
async function scheduleUpdate(tx: Tx, token: Payment, card: PaymentCard, from: Date): Promise<void> {
  const update = BEHAVIOURS[token.behaviour].cardUpdate;
  if (update === undefined) return;
  const renewal_ms = Math.max(
    startOfMerchantDay(`${card.goodThrough}-01`).getTime(),
    from.getTime() + SHORT_DELAY_MS,
  );
  const due_ms = update === 'renewed' ? renewal_ms : from.getTime() + REPLACED_AFTER_MS;
  await schedulePaymentEvent(tx, token, { event: 'card_updated', dueAt: new Date(due_ms) });
}

/** The last digits of the card that replaces another one. */
function otherLast4(last4: string): string {
  return String((Number(last4) + 5_000) % 10_000).padStart(4, '0');
}
