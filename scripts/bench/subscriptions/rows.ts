import type pg from 'pg';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate, scheduleFrom, stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import { copyRows } from './copy-rows.ts';

/** The subscription whose rows are copied, and the merchant that has it. */
export interface Template {
  readonly merchantId: string;
  readonly subscriptionId: string;
}

/** Merchants of one statement, and subscriptions of each. The database writes its log to disk between statements. */
const LOT_MERCHANTS = 10;
const LOT = 5_000;
const HASH = `'aa' || translate(md5(t.id::text || m.merchant_id), '0189', 'wxyz')`;
/** Cards are authorized, so that the first charge of each does not also request a network token. */
const CARD = {
  authorized_at: 'coalesce(t.authorized_at, t.created_at)',
  network_token_status: `'none'`,
  network_token_sealed: 'null',
  network_token_reference: 'null',
  network_token_due_at: 'null',
};

/** Copies the customers of the template's merchant, and their cards, to other merchants. */
export async function copyCustomers(
  pool: pg.Pool,
  { merchantId }: Template,
  merchantIds: readonly string[],
): Promise<void> {
  const others = {
    source: ', merchants m where t.merchant_id = $1 and m.merchant_id = any($2)',
    params: [merchantId, merchantIds],
  };
  const owner = { slot: 'm.slot', merchant_id: 'm.merchant_id' };
  await copyRows(pool, { ...others, table: 'customers', changes: { ...owner, hash: HASH } });
  await copyRows(pool, { ...others, table: 'cards', changes: { ...owner, ...CARD } });
}

/** New subscriptions, which were charged once and are charged again on `dueOn`, a day of the merchants. */
export interface NewRows {
  readonly merchantIds: readonly string[];
  /** Subscriptions of all these merchants together. */
  readonly count: number;
  readonly dueOn: string;
  /** Distinguishes these subscriptions from earlier ones. */
  readonly name: string;
  /** Whether their first cycle has its invoice and its payment. */
  readonly hasHistory: boolean;
}

/** The latest day on which charges are due by now. */
export function lastChargeDay(): string {
  const now = new Date();
  const today = merchantDay(now);
  return stepTime(today) <= now ? today : addDays(today, -1);
}

/** Adds copies of the template's subscription. */
export async function addSubscriptions(pool: pg.Pool, template: Template, rows: NewRows): Promise<void> {
  const each = Math.ceil(rows.count / rows.merchantIds.length);
  for (let first = 1; first <= each; first += LOT) {
    const last = Math.min(first + LOT - 1, each);
    for (let i = 0; i < rows.merchantIds.length; i += LOT_MERCHANTS) {
      const merchantIds = rows.merchantIds.slice(i, i + LOT_MERCHANTS);
      await addLot(pool, template, { ...rows, merchantIds, first, last });
    }
  }
}

async function addLot(
  pool: pg.Pool,
  { merchantId, subscriptionId }: Template,
  { merchantIds, first, last, dueOn, name, hasHistory }: NewRows & { first: number; last: number },
): Promise<void> {
  const start = billingDate({ start: dueOn, interval: 'monthly' }, -1);
  const schedule = scheduleFrom(start, 'monthly', Number(dueOn.slice(8)));
  const period = { start, end: dueOn, interval: 'monthly' };
  const source = (key: string) => `
    join merchants m on m.merchant_id = any($2)
    cross join generate_series(cast($3 as integer), cast($4 as integer)) n
    join lateral (
      select c.id as card, c.customer_id as customer from cards c where c.slot = m.slot and c.merchant_id = m.merchant_id
       order by c.id offset n % (select count(*) from cards where merchant_id = $5) limit 1) c on true
    where t.merchant_id = $5 and t.${key} = $1`;
  const params = [subscriptionId, merchantIds, first, last, merchantId];
  const id = (kind: string) => `cast(md5('${kind} ${name}' || m.merchant_id || n) as uuid)`;
  const owner = { slot: 'm.slot', merchant_id: 'm.merchant_id' };
  await copyRows(pool, {
    table: 'subscriptions',
    source: source('id'),
    params,
    changes: {
      ...owner,
      id: id('subscription'),
      code: `'${name}-' || n`,
      customer_id: 'c.customer',
      card_id: 'c.card',
      schedule: `'${JSON.stringify(schedule)}'`,
      paid_period: `'${JSON.stringify(period)}'`,
      last_attempt_on: `date '${start}'`,
      latest_payment_id: id('payment'),
      due_at: `timestamptz '${stepTime(dueOn).toISOString()}'`,
    },
  });
  if (!hasHistory) return;
  await copyRows(pool, {
    table: 'subscription_invoices',
    source: source('subscription_id'),
    params,
    changes: { ...owner, subscription_id: id('subscription'), id: id('invoice') },
  });
  await copyRows(pool, {
    table: 'payments',
    source: source('subscription_id'),
    params,
    changes: {
      ...owner,
      id: id('payment'),
      hash: `'aa' || translate(md5('${name}' || m.merchant_id || n), '0189', 'wxyz')`,
      subscription_id: id('subscription'),
      customer_id: 'c.customer',
      reference: `'aa' || md5('${name}' || m.merchant_id || n)`,
      details: `cast(cast(t.details as jsonb) || jsonb_build_object('cardId', c.card) as json)`,
    },
  });
}

/** Copies the paid cycle of a subscription with one cycle, until it has `cycles`. */
export async function addPaidCycles(pool: pg.Pool, subscriptionId: string, cycles: number): Promise<void> {
  const source = ', generate_series(2, cast($2 as integer)) n where t.subscription_id = $1';
  const params = [subscriptionId, cycles];
  const at = `t.created_at - (cast($2 as integer) - n + 1) * interval '30 days'`;
  await copyRows(pool, {
    table: 'subscription_invoices',
    source,
    params,
    changes: { id: 'gen_random_uuid()', cycle: 'n', created_at: at },
  });
  await copyRows(pool, {
    table: 'payments',
    source,
    params,
    changes: {
      id: 'gen_random_uuid()',
      cycle: 'n',
      hash: `'aa' || translate(md5(t.subscription_id::text || n), '0189', 'wxyz')`,
      reference: `'aa' || md5(t.subscription_id::text || n)`,
      created_at: at,
    },
  });
  await pool.query('update subscriptions set paid_cycles = $2 where id = $1', [subscriptionId, cycles]);
}
