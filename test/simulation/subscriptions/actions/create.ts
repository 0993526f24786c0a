import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Json } from '../../../support/service.ts';
import { PAYER } from '../../../support/subscriptions/issued-charges.ts';
import { dayOf } from '../calendar.ts';
import { randomDates } from '../drawn-dates.ts';
import { randomMeans } from '../drawn-means.ts';
import { randomPrices } from '../drawn-plans.ts';
import { DIED, type Fault, isKill, sendWith } from '../faults.ts';
import { type Terms as ModelTerms, newSubscription } from '../model/create.ts';
import { isFinished, type Method } from '../model/state.ts';
import { randomSplit } from '../recipients.ts';
import { decideAs, scriptPayer } from '../scripted-payers.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, randomFault } from './action.ts';

const MAX_LIVE = 5;
const MAX_SUBSCRIPTIONS = 10;

export const create: Action = {
  name: 'create',
  weight: 4,
  async run(world) {
    const { random, shop } = world;
    const live = world.subscriptions.filter((one) => !isFinished(one.model)).length;
    const isFull = live === MAX_LIVE || world.subscriptions.length === MAX_SUBSCRIPTIONS;
    if (!world.isApproved || isFull) return null;
    const method = random.pick(world.theme.methods);
    const isByMandate = method === 'pix_recurring';
    const prices = await randomPrices(world, isByMandate);
    const dates = randomDates(world, prices.offeredDays);
    const { isChargedNow } = dates;
    const nextAmount = random.oneIn(4) ? random.integer(0, 2) * 700 : null;
    const fault = randomFault(world);
    const { documents, addresses } = PAYER;
    const customerId = await shop.customer({ documents, addresses });
    const amounts = [...prices.plan.bands.map(({ amount }) => amount), nextAmount ?? []].flat();
    const { interval } = prices.plan;
    const wanted = { interval, amounts };
    const { means, firstDue, fields } = await randomMeans(world, method, customerId, wanted, isChargedNow);
    const { split, field } = await randomSplit(world, prices.plan);
    const installments = method === 'credit_card' && random.oneIn(3) ? random.integer(2, 12) : 1;
    const sent = {
      ...prices.fields,
      ...dates.fields,
      ...(nextAmount !== null && { next_charge_amount: nextAmount }),
    };
    const isOwnPath = isByMandate && OTHER_PATH_ONLY.every((field) => !(field in sent)) && random.oneIn(2);
    const path = isOwnPath ? '/subscriptions' : '/charges/subscriptions';
    const body = {
      code: randomUUID(),
      mcc: '5734',
      ...(isOwnPath && { interval }),
      ...sent,
      customer: { id: customerId },
      payment: {
        ...{ ...prices.payment, payment_method: method, ...fields, ...field },
        ...(installments > 1 && { installments }),
      },
    };
    const special = nextAmount === null ? null : { cycle: isChargedNow ? 2 : 1, amount: nextAmount };
    const terms = { ...dates, plan: { ...prices.plan, special }, means, firstDue };
    const scripted = isByMandate ? await scriptPayer(world, customerId) : null;
    const { model } = await subscribe(world, { path, body, customerId }, terms, fault);
    Object.assign(model, { split, installments });
    await decideAs(world, scripted, model);
    const drawn = {
      ...sent,
      ...prices.plan,
      offeredDays: prices.offeredDays,
      decided: scripted?.outcome,
      ...fields,
      ...field,
      installments,
      fault,
    };
    return JSON.stringify({ method, path, ...drawn });
  },
};

/** What only `POST /charges/subscriptions` takes. */
const OTHER_PATH_ONLY = ['best_charge_day', 'start_at', 'next_charge_amount', 'items'];

/** `startAt`: what the record shows, if the request says it. */
type Terms = ModelTerms & { readonly startAt: number | undefined };

interface SubscriptionRequest {
  readonly path: string;
  readonly body: RequestBody;
  readonly customerId: string;
}

async function subscribe(
  world: World,
  { path, body, customerId }: SubscriptionRequest,
  terms: Terms,
  fault: Fault,
): Promise<Simulated> {
  let hasCharged = false;
  const model = newSubscription(terms, world.now, (asked) => {
    hasCharged = true;
    return sendWith(fault)(asked);
  });
  const { status, text } = await world.request(fault, 'POST', path, body);
  assert.equal(status, hasCharged && isKill(fault) ? DIED : 201, text);
  const { id } = await assertCreated(world, body, terms);
  const subscription = {
    id,
    code: body.code,
    customerId,
    model,
    scriptIds: [],
    compared: null,
    preview: null,
  };
  world.subscriptions.push(subscription);
  return subscription;
}

interface RequestBody {
  readonly code: string;
  readonly items?: readonly object[];
  readonly payment: {
    readonly payment_method: Method;
    readonly pix_recurring?: { readonly recurring_statement?: string };
  };
}

/** What the record shows of the request, and never changes. Returns it. */
async function assertCreated(
  world: World,
  { code, items = [], payment }: RequestBody,
  { plan, trialDays, startAt, firstDue }: Terms,
): Promise<Json> {
  const record = await world.shop.get(`/subscriptions/${code}`);
  assert.equal(record.offer_id, plan.offerId);
  assert.equal(record.trial_days, trialDays);
  const start = Date.parse(record.start_at);
  if (startAt === undefined) assert.equal(dayOf(start), dayOf(world.now));
  else assert.equal(start, startAt);
  assert.deepEqual(
    record.items.map(({ name, quantity, amount }: Json) => ({ name, quantity, amount })),
    items,
  );
  if (firstDue !== undefined && record.payment !== null) {
    const { bank_slip, pix } = record.payment;
    assert.equal(bank_slip?.due_at ?? dayOf(Date.parse(pix.expires_at)), firstDue.on);
    if (firstDue.expiresAt !== null) assert.equal(Date.parse(pix.expires_at), firstDue.expiresAt);
  }
  if (payment.pix_recurring !== undefined) {
    const [mandate] = await world.service.rows<{ statement: string | null }>(
      'select statement from mandates where slot = :slot and merchant_id = :account and subscription_id = :id',
      { ...world.key, id: record.id },
    );
    assert.equal(mandate!.statement, payment.pix_recurring.recurring_statement ?? null);
  }
  return record;
}
