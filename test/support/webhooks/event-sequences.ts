/**
 * Replays the sequences of events that the contract documents (`x-event-sequences`), with the requests of a merchant.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { addDays } from '../../../domain/business-days.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { endOfMerchantDay, merchantDay } from '../../../domain/local-time.ts';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { now } from '../../../services/deps.ts';
import { runDuePaymentsUnlessAdvancing } from '../../../services/payments/run-due-payments.ts';
import type { EventSequence, SequenceStep } from '../../../web/event-sequences.ts';
import { reconcile, withLostAnswers } from '../payments/acquirer-calls.ts';
import { fanOutEvents } from '../run-jobs.ts';
import type { Json, TestAnswer, TestService } from '../service.ts';
import { Shop } from '../shop.ts';
import { pixBody } from '../subscriptions/pix-recurring-calls.ts';
import { newOffer } from '../subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain, walletToken } from '../wallet/wallet-shop.ts';

const { document, operations } = loadContract();

export const SEQUENCES = document['x-event-sequences'] as Readonly<Record<string, EventSequence>>;

/** An event with the status of its payment. */
export type ShownEvent = readonly [event: string, status: string];

export interface Replay {
  /** By step, as a server reads them with `GET /events?after=`. */
  readonly steps: readonly (readonly ShownEvent[])[];
  /** All of them, as `GET /events` lists them, oldest first. */
  readonly listed: readonly ShownEvent[];
}

/**
 * Replays a sequence as a new merchant. `withOptional`: with its optional steps, and the acquirer gives no answer to
 * the requests that have an optional event; its answer is found out later.
 */
export async function replay(
  service: TestService,
  sequence: EventSequence,
  withOptional: boolean,
): Promise<Replay> {
  const shop = await Shop.open(service);
  await beginAtNoon(shop);
  const steps: ShownEvent[][] = [];
  let subject: Json | undefined;
  let after = '';
  for (const step of stepsOf(sequence, withOptional)) {
    const answer = await runStep(service, shop, step, subject, withOptional);
    subject ??= answer.body;
    await runDuePaymentsUnlessAdvancing(service.deps, shop.onboarded.merchant);
    await fanOutEvents(service.deps);
    const { data, pagination } = await shop.get(`/events?per_page=100&after=${after}`);
    steps.push(data.map(shown));
    after = pagination.next_after;
  }
  const { data } = await shop.get('/events?per_page=100');
  return { steps, listed: data.reverse().map(shown) };
}

/**
 * Steps run at 06:00, and some requests are refused after 22:00, so that the events could depend on the time of the
 * replay.
 */
async function beginAtNoon(shop: Shop): Promise<void> {
  const to = new Date(endOfMerchantDay(todayOf(shop)).getTime() + 12 * HOUR_MS);
  const { status, text } = await shop.post('/sandbox/clock/advance', { to: to.toISOString() });
  assert.equal(status, 200, text);
}

const todayOf = ({ service, onboarded }: Shop) => merchantDay(now(service.deps, onboarded.merchant));

/** What the contract says about the same replay. */
export function documented(sequence: EventSequence, withOptional: boolean): ShownEvent[][] {
  return stepsOf(sequence, withOptional).map(({ events }) =>
    events.filter(({ required }) => required || withOptional).map(({ event, status }) => [event, status]),
  );
}

function stepsOf({ steps }: EventSequence, withOptional: boolean): readonly SequenceStep[] {
  return steps.filter(({ optional }) => withOptional || !optional);
}

const shown = ({ event, data }: Json): ShownEvent => [event, data.status];

async function runStep(
  service: TestService,
  shop: Shop,
  step: SequenceStep,
  subject: Json | undefined,
  withOptional: boolean,
): Promise<TestAnswer> {
  const body = subject === undefined ? await firstBody(shop, step) : await laterBody(shop, step, subject);
  const { method, path } = operations.get(step.operation)!;
  const filled = await filledPath(shop, path, subject?.id);
  const send = () => shop.call(method.toUpperCase(), filled, body && { body });
  const isLost = withOptional && !step.optional && step.events.some(({ required }) => !required);
  const answer = isLost ? await withLostAnswers(service, send) : await send();
  const isExpected =
    step.answer_status === undefined || isLost ? answer.status <= 299 : answer.status === step.answer_status;
  assert.ok(isExpected, `${answer.status} ${answer.text}`);
  if (isLost) await reconcile(service);
  return answer;
}

function firstBody(shop: Shop, step: SequenceStep): Promise<object> {
  switch (step.operation) {
    case 'createSubscription':
      return newSubscriptionBody(shop, step);
    case 'createPixRecurringSubscription':
      return newPixRecurringBody(shop, step);
    default:
      return orderBody(shop, step);
  }
}

/** The body with the ids that a merchant adds. */
async function laterBody(
  shop: Shop,
  { operation, body, test_card: number = OTHER_CARD }: SequenceStep,
  { id, customer_id }: Json,
): Promise<object | undefined> {
  switch (operation) {
    case 'changePlan':
      return { ...body, offer_id: await newOffer(shop, OFFER) };
    case 'cancelSubscription':
      return { ...body, id };
    case 'createScript':
      return { ...body, customer_id };
    case 'updatePaymentMethod':
      if (body?.payment_method !== 'credit_card') return body;
      return { ...body, credit_card: { id: await shop.card(customer_id, number) } };
    default:
      return body;
  }
}

/** Not the card of the first step. */
const OTHER_CARD = '5555555555554444';

/** Every change of a plan is to an offer of R$ 999.00. */
const OFFER = { cycles: [{ start: 1, end: null, amount: 99_900 }] };

/**
 * A complete subscription with the part of its body that the contract shows, of an offer with one cycle if it has one.
 */
async function newSubscriptionBody(
  shop: Shop,
  { body = {}, test_card: number, offer }: SequenceStep,
): Promise<object> {
  // With the address and the document that a boleto needs, by which it may be paid later.
  const customerId = await shop.customer(shop.bankSlipOrderBody().customer);
  const payment = body.payment as { readonly payment_method: string };
  const means = await meansOf(shop, payment.payment_method, customerId, number);
  const terms = await termsOf(shop, body, offer);
  return {
    code: randomUUID(),
    mcc: '5734',
    ...body,
    ...terms,
    customer: { id: customerId },
    payment: { ...payment, ...means },
  };
}

async function meansOf(shop: Shop, method: string, customerId: string, number?: string): Promise<object> {
  if (method === 'credit_card') return { credit_card: { id: await shop.card(customerId, number) } };
  if (method !== 'browser_wallet') return {};
  return { browser_wallet: { browser_wallet_token: await newWalletToken(shop, number) } };
}

async function newPixRecurringBody(shop: Shop, { body = {}, offer }: SequenceStep): Promise<object> {
  const { customer, ...fields } = body;
  const terms = await termsOf(shop, fields, offer);
  return pixBody(
    shop,
    { ...fields, ...terms },
    { customerId: await shop.customer(customer as object | undefined) },
  );
}

const ONE_CYCLE = { cycles: [{ start: 1, end: 1, amount: 4_990 }] };

/** What a merchant fills in: an offer, with one cycle unless the step says more, and a start in 10 days. */
async function termsOf(shop: Shop, body: object, offer: object = ONE_CYCLE): Promise<object> {
  return {
    ...('offer_id' in body && { offer_id: await newOffer(shop, offer) }),
    ...('start_at' in body && { start_at: addDays(todayOf(shop), 10) }),
  };
}

async function newWalletToken(shop: Shop, number?: string): Promise<string> {
  const domain = domainOf(shop);
  await verifiedDomain(shop, domain);
  return walletToken(shop, { domain, ...(number !== undefined && { number }) });
}

/** The path with the id of the subscription, or of the latest payment or dispute of the merchant. */
async function filledPath(shop: Shop, path: string, id: string): Promise<string> {
  if (!path.includes('{')) return path;
  const [, list] = path.match(/(\/subscriptions|\/payments|\/disputes)\/\{/)!;
  const known = list === '/subscriptions' ? id : (await shop.get(`${list}?per_page=1`)).data[0].id;
  return path.replace(/\{[a-z_]+\}/, known);
}

/** A complete order with the part of its body that the contract shows. */
async function orderBody(shop: Shop, { body, test_card: number }: SequenceStep): Promise<object> {
  const { payment } = body as { payment: Record<string, object> & { payment_method: string } };
  const method = payment.payment_method;
  if (method === 'pix') return { ...shop.pixOrderBody(), payment };
  if (method === 'bank_slip') return { ...shop.bankSlipOrderBody(), payment };
  if (method === 'browser_wallet') {
    const browser_wallet = { ...payment[method], browser_wallet_token: await newWalletToken(shop, number) };
    return { ...shop.pixOrderBody(), payment: { ...payment, browser_wallet } };
  }
  const order = await shop.cardOrderBody({ number });
  const card = { ...payment[method], id: order.payment.credit_card.id };
  return { ...order, payment: { ...payment, [method]: card } };
}
