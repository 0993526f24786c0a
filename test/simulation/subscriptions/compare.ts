import assert from 'node:assert/strict';
import type { Json } from '../../support/service.ts';
import { invoices } from '../../support/subscription-calls.ts';
import type { ModelInvoice, ModelSubscription } from './model.ts';
import type { Simulated, World } from './world.ts';

/** Compares every subscription with its model: the record, the invoices with their charges, and the events. */
export async function compareWithModels(world: World): Promise<void> {
  for (const subscription of world.subscriptions) await compareWithModel(world, subscription);
}

async function compareWithModel(world: World, { id, model }: Simulated): Promise<void> {
  const record = await world.shop.get(`/subscriptions/${id}`);
  assert.deepEqual(
    { ...shownRecord(record), invoices: (await invoices(world.shop, id)).map(shownInvoice) },
    { ...modelRecord(model), invoices: [...model.invoices].map(modelInvoice) },
    `subscription ${id}: the service, then the model`,
  );
  const events = await world.service.rows<{ line: string }>(
    `select event || ' ' || (data ->> 'status') as line from events
      where merchant_id = :account and object_id = :id and event like 'subscription.%' order by created_at, id`,
    { account: world.account, id },
  );
  assert.deepEqual(
    events.map(({ line }) => line),
    model.events,
    `events of subscription ${id}: of the service, then of the model`,
  );
}

function shownRecord(record: Json) {
  const { status, current_cycle, successful_charges, next_charge_at, next_charge_amount, card_id } = record;
  return {
    status,
    current_cycle,
    successful_charges,
    next: [next_charge_at, next_charge_amount] as readonly unknown[],
    card_id,
    ends_at: status === 'canceled' ? Date.parse(record.ends_at) : null,
    isCanceled: record.canceled_at !== null,
    isEnded: record.ended_at !== null,
  };
}

function modelRecord(model: ModelSubscription): ReturnType<typeof shownRecord> {
  return {
    status: model.status,
    current_cycle: model.paidCycles,
    successful_charges: model.paidCycles,
    next: model.nextCharge,
    card_id: model.card.id,
    ends_at: model.status === 'canceled' ? model.endsAt : null,
    isCanceled: model.endsAt !== null,
    isEnded: model.isFinished,
  };
}

function shownInvoice(invoice: Json) {
  const { cycle, status, period_start, period_end, amount, payments } = invoice;
  return {
    cycle,
    status,
    period: [period_start, period_end],
    amount,
    attempts: payments.map((payment: Json) => {
      const isDecided = payment.status !== 'processing' && payment.status !== 'refused';
      return [payment.billing_date, isDecided ? 'paid' : payment.status, payment.amount];
    }),
  };
}

function modelInvoice([cycle, invoice]: [number, ModelInvoice]): ReturnType<typeof shownInvoice> {
  return {
    cycle,
    status: invoice.status,
    period: [invoice.start, invoice.end],
    amount: invoice.amount,
    attempts: invoice.attempts.map(({ day, state }) => [day, state, invoice.amount]),
  };
}
