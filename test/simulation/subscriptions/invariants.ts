import assert from 'node:assert/strict';
import type { World } from './world.ts';

/** The changes of the status that the contract allows (rows 8.4 to 8.9, 13.26 to 13.30). */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  payment_pending: [
    ...['active', 'payment_approved', 'trial_started', 'past_due', 'payment_refused', 'unpaid'],
    ...['canceled', 'ended', 'completed'],
  ],
  trial_started: ['active', 'payment_approved', 'payment_refused', 'past_due', 'unpaid', 'canceled'],
  active: ['payment_approved', 'past_due', 'unpaid', 'canceled', 'ended', 'completed'],
  payment_approved: ['active', 'payment_refused', 'canceled', 'ended', 'completed'],
  past_due: ['active', 'payment_approved', 'unpaid', 'canceled', 'ended'],
  payment_refused: ['active', 'payment_approved', 'unpaid', 'canceled', 'ended'],
  unpaid: ['active', 'payment_approved', 'canceled', 'ended'],
  canceled: ['active', 'ended'],
  ended: [],
  completed: [],
};

/** Rows that break a rule, whatever the model says. Each query must find none. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'a cycle was paid twice': `
    select subscription_id, cycle from payments
     where merchant_id = :account and captured_centavos > 0 and cycle is not null
     group by subscription_id, cycle having count(*) > 1`,
  'a paid invoice has no payment': `
    select i.subscription_id, i.cycle from subscription_invoices i
     where i.merchant_id = :account and i.status = 'paid' and i.amount_centavos > i.credit_centavos
       and not exists (select from payments p where p.merchant_id = :account and p.subscription_id = i.subscription_id
         and p.cycle = i.cycle and p.captured_centavos = i.amount_centavos - i.credit_centavos)`,
  'a cycle is missing': `
    select subscription_id from subscription_invoices where merchant_id = :account
     group by subscription_id having max(cycle) <> count(*)`,
  'the number of paid cycles is not that of the paid invoices': `
    select s.id from subscriptions s where s.merchant_id = :account and s.paid_cycles <> (
      select count(*) from subscription_invoices i
       where i.merchant_id = :account and i.subscription_id = s.id and i.status = 'paid')`,
  'a subscription was changed without an event in the same transaction (the steps of mandates and of upgrades have none)': `
    select s.id from subscriptions s
     where s.merchant_id = :account and s.method <> 'pix_recurring'
       and not exists (select from events e where e.merchant_id = :account and e.xmin = s.xmin)
       and not exists (select from payments p where p.merchant_id = :account and p.subscription_id = s.id
         and p.cycle is null and p.status in ('processing', 'refused'))`,
  'two charges by mandates have one due date': `
    select subscription_id, billing_date from payments
     where merchant_id = :account and method = 'pix_recurring' and cycle is not null and status <> 'canceled'
     group by subscription_id, billing_date having count(*) > 1`,
  'a charge by a mandate was retried more than 3 times': `
    select subscription_id, cycle from payments
     where merchant_id = :account and method = 'pix_recurring' and cycle is not null and status <> 'canceled'
     group by subscription_id, cycle having count(*) > 4`,
  'a charge by a mandate was retried after 7 days': `
    select subscription_id, cycle from payments
     where merchant_id = :account and method = 'pix_recurring' and cycle is not null and status <> 'canceled'
     group by subscription_id, cycle having max(billing_date) > min(billing_date) + 7`,
  'two charges of a cycle can be paid': `
    select subscription_id, cycle from payments
     where merchant_id = :account and cycle is not null and status in ('scheduled', 'waiting_payment', 'processing')
     group by subscription_id, cycle having count(*) > 1`,
};

/** All of them in one query: most of the time of a history is that of its statements. */
const ALL_FORBIDDEN = Object.entries(FORBIDDEN)
  .map(([rule, query]) => `select '${rule}' as rule, to_jsonb(found) as found from (${query}) found`)
  .join(' union all ');

export async function assertInvariants(world: World): Promise<void> {
  const { account } = world;
  assert.deepEqual(await world.service.rows(ALL_FORBIDDEN, { account }), []);
  const events = await world.service.rows<{ subscription: string; status: string }>(
    `select object_id as subscription, data ->> 'status' as status from events
      where merchant_id = :account and event like 'subscription.%' order by created_at, id`,
    { account },
  );
  for (const [id, ofOne] of Map.groupBy(events, (event) => event.subscription)) {
    ofOne.reduce((before, after) => {
      const isAllowed = before.status === after.status || ALLOWED[before.status]!.includes(after.status);
      assert.ok(isAllowed, `${id} went from ${before.status} to ${after.status}`);
      return after;
    });
  }
}
