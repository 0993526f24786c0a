import assert from 'node:assert/strict';
import type { Json } from '../../support/service.ts';
import { invoices } from '../../support/subscriptions/subscription-calls.ts';
import { nextCharge } from './model/create.ts';
import { planAhead } from './model/cycle.ts';
import { type Part, partsOf, partsOfUpgrade } from './model/split.ts';
import { isFinished, type ModelInvoice, type ModelMandate, type ModelSubscription } from './model/state.ts';
import type { Simulated } from './simulated.ts';
import type { World } from './world.ts';

/**
 * Compares every subscription that has changed with its model: the record, the invoices with their charges, and the
 * events. Returns whether any has changed, here or in the model.
 */
export async function compareWithModels(world: World): Promise<boolean> {
  const versions = await versionsOf(world);
  let hasChanged = false;
  for (const subscription of world.subscriptions) {
    const { id, model } = subscription;
    const expected = modeled(model);
    const compared = `${versions.get(id)} ${JSON.stringify(expected)}`;
    if (compared === subscription.compared) continue;
    hasChanged = true;
    assert.deepEqual(await shown(world, id), expected, `subscription ${id}: the service, then the model`);
    subscription.compared = compared;
  }
  return hasChanged;
}

/** By subscription: the transactions that have written its rows. */
async function versionsOf({ service, key }: World): Promise<ReadonlyMap<string, string>> {
  const rows = await service.rows<{ id: string; versions: string }>(
    `select s.id, concat_ws(' ', s.xmin, max(e.id::text),
         (select string_agg(p.xmin::text, ',' order by p.id) from payments p
           where p.slot = :slot and p.merchant_id = :account and p.subscription_id = s.id),
         (select string_agg(i.xmin::text, ',' order by i.cycle) from subscription_invoices i
           where i.slot = :slot and i.merchant_id = :account and i.subscription_id = s.id)) as versions
       from subscriptions s left join events e on e.slot = :slot and e.merchant_id = :account and e.object_id = s.id
      where s.slot = :slot and s.merchant_id = :account group by s.id, s.xmin`,
    key,
  );
  return new Map(rows.map(({ id, versions }) => [id, versions]));
}

/** Whether the service shows a subscription as one of several models. Returns it; undefined if none fits. */
export async function fittingModel(
  world: World,
  { id }: Pick<Simulated, 'id'>,
  models: readonly ModelSubscription[],
): Promise<ModelSubscription | undefined> {
  const seen = JSON.stringify(await shown(world, id));
  return models.find((model) => JSON.stringify(modeled(model)) === seen);
}

interface StoredUpgrade {
  readonly status: string;
  readonly amount: number;
  readonly installments: number;
  readonly split: readonly { readonly recipient_id: string; readonly share_centavos: number }[] | null;
}

async function shown(world: World, id: string) {
  const record = await world.shop.get(`/subscriptions/${id}`);
  const events = await world.service.rows<{ line: string }>(
    `select to_char(created_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') || ' ' || event || ' ' || (data ->> 'status')
        as line from events
      where slot = :slot and merchant_id = :account and object_id = :id and event like 'subscription.%' order by created_at, id`,
    { ...world.key, id },
  );
  const { service, key } = world;
  const [mandate] = await service.rows<{ state: string }>(
    `select state from mandates where slot = :slot and merchant_id = :account and subscription_id = :id
      order by created_at desc, id desc limit 1`,
    { ...key, id },
  );
  const upgrades = await service.rows<StoredUpgrade>(
    `select status, amount_centavos as amount, installments, split from payments
      where slot = :slot and merchant_id = :account and subscription_id = :id and cycle is null and method in ('credit_card', 'browser_wallet')
      order by created_at, id`,
    { ...key, id },
  );
  return {
    ...shownRecord(record),
    mandate: mandate === undefined ? null : (ENDED[mandate.state] ?? mandate.state),
    upgrades: upgrades.map(({ status, amount, installments, split }) => [
      ...[STATES[status] ?? 'paid', Number(amount), installments],
      (split ?? []).map(({ recipient_id, share_centavos }): Part => [recipient_id, share_centavos]),
    ]),
    invoices: (await invoices(world.shop, id)).map(shownInvoice),
    events: events.map(({ line }) => line),
  };
}

function modeled(model: ModelSubscription): Awaited<ReturnType<typeof shown>> {
  return {
    ...modelRecord(model),
    mandate: model.requestedMandate && mandateState(model, model.requestedMandate),
    upgrades: model.upgrades.map(({ state, amount }) => [
      state,
      amount,
      1,
      partsOfUpgrade(model.split, amount),
    ]),
    invoices: [...model.invoices].map((one) => modelInvoice(model, one)),
    events: model.events,
  };
}

/** Both are ends of a mandate that its payer has not rejected. */
const ENDED: Readonly<Record<string, string>> = { expired: 'ended', canceled: 'ended' };

/** A mandate ends when no subscription uses it, or its QR code was not used in time. */
function mandateState(model: ModelSubscription, mandate: ModelMandate): string {
  const { means, pendingMandate, now, status } = model;
  const isUsed =
    (means.method === 'pix_recurring' && means.mandate === mandate) || pendingMandate === mandate;
  const isOpen = isUsed && status !== 'canceled' && !isFinished(model);
  if (mandate.state === 'rejected' || mandate.state === 'ended') return mandate.state;
  const hasExpired = mandate.state === 'created' && mandate.qrExpiresAt <= now;
  return isOpen && !hasExpired ? mandate.state : 'ended';
}

function shownRecord(record: Json) {
  const { status, payment_method, card_id, current_cycle, successful_charges, interval } = record;
  const { next_charge_at, next_charge_amount, offer_id, pending_plan, credit_balance } = record;
  const isOver = status === 'ended' || status === 'completed';
  return {
    status,
    payment_method,
    card_id,
    current_cycle,
    successful_charges,
    next: [next_charge_at, next_charge_amount] as readonly unknown[],
    plan: [offer_id, interval, pending_plan?.offer_id ?? null] as readonly unknown[],
    credit: credit_balance,
    ends_at: isOver ? hasPassed(record) : record.ends_at && Date.parse(record.ends_at),
    isCanceled: record.canceled_at !== null,
    isEnded: record.ended_at !== null,
  };
}

/** Whether the access ended with the subscription or before; null if it was not canceled. */
function hasPassed({ ends_at, ended_at }: Json): boolean | null {
  return ends_at && Date.parse(ends_at) <= Date.parse(ended_at);
}

function modelRecord(model: ModelSubscription): ReturnType<typeof shownRecord> {
  const { status, means, plan } = model;
  const ahead = planAhead(model);
  const pending = ahead === plan || status === 'canceled' || isFinished(model) ? null : ahead.offerId;
  return {
    status,
    payment_method: means.method,
    card_id: 'card' in means ? means.card.id : null,
    current_cycle: model.paidCycles,
    successful_charges: model.paidCycles,
    next: nextCharge(model),
    plan: [plan.offerId, plan.interval, pending],
    credit: model.credit,
    ends_at: isFinished(model) ? model.endsAt && model.endsAt <= model.now : model.endsAt,
    isCanceled: model.endsAt !== null,
    isEnded: isFinished(model),
  };
}

const STATES: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  processing: 'processing',
  waiting_payment: 'waiting',
  refused: 'refused',
  expired: 'expired',
  canceled: 'canceled',
};

function shownInvoice(invoice: Json) {
  const { cycle, status, period_start, period_end, amount, credit_applied, payments } = invoice;
  return {
    cycle,
    status,
    period: [period_start, period_end],
    amount: [amount, credit_applied],
    attempts: payments.map((payment: Json) => [
      payment.payment_method,
      payment.billing_date,
      STATES[payment.status] ?? 'paid',
      payment.amount,
      payment.installments,
      payment.split.map((part: Json): Part => [part.recipient_id, part.share_amount]),
    ]),
  };
}

function modelInvoice(
  { split, installments }: ModelSubscription,
  [cycle, invoice]: [number, ModelInvoice],
): ReturnType<typeof shownInvoice> {
  return {
    cycle,
    status: invoice.status,
    period: [invoice.start, invoice.end],
    amount: [invoice.amount, invoice.credit],
    attempts: invoice.attempts.map(({ method, dueOn, state, amount }) => [
      ...[method, dueOn, state, amount, method === 'credit_card' ? installments : 1],
      partsOf(split, amount),
    ]),
  };
}
