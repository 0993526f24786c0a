import assert from 'node:assert/strict';
import { assertAllowedStatuses } from './statuses.ts';
import type { World } from './world.ts';

/** Of the charges by mandates: those that the acquirer has received, or may receive. */
const IS_MADE = `method = 'pix_recurring' and cycle is not null and status <> 'canceled' and not exists (
  select from payment_operations o where o.slot = :slot and o.merchant_id = :account and o.payment_id = payments.id
     and o.kind = 'mandate_charge' and o.refusal_code = 'not_received')`;

/** Rows that break a rule, whatever the model says. Each query must find none. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'a cycle was paid twice': `
    select subscription_id, cycle from payments
     where slot = :slot and merchant_id = :account and captured_centavos > 0 and cycle is not null
     group by subscription_id, cycle having count(*) > 1`,
  'a paid invoice has no payment': `
    select i.subscription_id, i.cycle from subscription_invoices i
     where i.slot = :slot and i.merchant_id = :account and i.status = 'paid' and i.amount_centavos > i.credit_centavos
       and not exists (select from payments p where p.slot = :slot and p.merchant_id = :account and p.subscription_id = i.subscription_id
         and p.cycle = i.cycle and p.captured_centavos = i.amount_centavos - i.credit_centavos)`,
  'a cycle is missing': `
    select subscription_id from subscription_invoices where slot = :slot and merchant_id = :account
     group by subscription_id having max(cycle) <> count(*)`,
  'the number of paid cycles is not that of the paid invoices': `
    select s.id from subscriptions s where s.slot = :slot and s.merchant_id = :account and s.paid_cycles <> (
      select count(*) from subscription_invoices i
       where i.slot = :slot and i.merchant_id = :account and i.subscription_id = s.id and i.status = 'paid')`,
  'a subscription was changed without an event in the same transaction (the steps of mandates and of upgrades, and an end that waits for a charge, have none)': `
    select s.id from subscriptions s
     where s.slot = :slot and s.merchant_id = :account and s.method <> 'pix_recurring'
       and not exists (select from events e where e.slot = :slot and e.merchant_id = :account and e.xmin = s.xmin)
       and not exists (select from payments p where p.slot = :slot and p.merchant_id = :account and p.subscription_id = s.id
         and p.cycle is null and p.status in ('processing', 'refused'))
       and not exists (select from payments p where p.slot = :slot and p.merchant_id = :account and p.id = s.latest_payment_id
         and s.status = 'canceled' and p.status in ('processing', 'waiting_payment'))`,
  'two charges by mandates have one due date': `
    select subscription_id, billing_date from payments
     where slot = :slot and merchant_id = :account and ${IS_MADE}
     group by subscription_id, billing_date having count(*) > 1`,
  'a charge by a mandate was retried more than 3 times': `
    select subscription_id, cycle from payments
     where slot = :slot and merchant_id = :account and ${IS_MADE}
     group by subscription_id, cycle, details ->> 'mandateId' having count(*) > 4`,
  'a charge by a mandate was retried after 7 days': `
    select subscription_id, cycle from payments
     where slot = :slot and merchant_id = :account and ${IS_MADE}
     group by subscription_id, cycle, details ->> 'mandateId' having max(billing_date) > min(billing_date) + 7`,
  'two charges of a cycle can be paid': `
    select subscription_id, cycle from payments
     where slot = :slot and merchant_id = :account and cycle is not null and status in ('scheduled', 'waiting_payment', 'processing')
     group by subscription_id, cycle having count(*) > 1`,
};

/** All of them in one query: most of the time of a history is that of its statements. */
const ALL_FORBIDDEN = Object.entries(FORBIDDEN)
  .map(([rule, query]) => `select '${rule}' as rule, to_jsonb(found) as found from (${query}) found`)
  .join(' union all ');

export async function assertInvariants(world: World): Promise<void> {
  const { key, service } = world;
  assert.deepEqual(await service.rows(ALL_FORBIDDEN, key), []);
  const events = await service.rows<{ subscription: string; status: string }>(
    `select object_id as subscription, data ->> 'status' as status from events
      where slot = :slot and merchant_id = :account and event like 'subscription.%' order by created_at, id`,
    key,
  );
  for (const [id, ofOne] of Map.groupBy(events, (event) => event.subscription)) {
    assertAllowedStatuses(
      ofOne.map(({ status }) => status),
      id,
    );
  }
}
