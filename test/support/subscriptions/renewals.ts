/** Renewals of many subscriptions, which workers find due. */
import assert from 'node:assert/strict';
import { DAY_MS, HOUR_MS } from '../clock-calls.ts';
import type { TestService } from '../service.ts';
import type { Shop } from '../shop.ts';

/** Noon in Brasília. */
const NOON_UTC_MS = 15 * HOUR_MS;

/** Sets the shop's clock forward without the steps on the way, which workers then find due. */
export async function jump({ service, account, onboarded }: Shop, offset_ms: number): Promise<void> {
  await service.rows(
    `insert into merchant_clocks (slot, merchant_id, offset_ms) values (:slot, :account, :offset_ms)
     on conflict (slot, merchant_id) do update set offset_ms = :offset_ms`,
    { account, slot: onboarded.merchant.slot, offset_ms },
  );
  await service.control.setClock(account, offset_ms);
}

/**
 * An offset of at least `offset_ms` that moves the clock to noon of the merchant. At that hour the charges of the day
 * are due, and one that was never sent is made again at once. In the first hours of a day, it waits until their hour.
 */
export function toNoon(offset_ms: number): number {
  const past_ms = (Date.now() + offset_ms - NOON_UTC_MS) % DAY_MS;
  return offset_ms + DAY_MS - past_ms;
}

/** How many cycles of each subscription are paid. */
export async function paidCycles({ service, account }: Shop): Promise<number[]> {
  const rows = await service.rows<{ cycles: number }>(
    'select paid_cycles as cycles from subscriptions where merchant_id = :account',
    { account },
  );
  return rows.map(({ cycles }) => cycles);
}

/** Lets the reconciler leave new operations to their worker for 2 s. Usually it is 20 s. */
export async function hurryReconciler(service: TestService): Promise<void> {
  await service.rows(
    "update payment_operations set check_at = :now where state = 'pending' and check_at < :soon",
    { now: new Date(), soon: new Date(Date.now() + 18_000) },
  );
}

/** Each cycle was opened once, and was paid once here and at the acquirer. */
export async function assertChargedOnce(shop: Shop, subscriptions: number, cycles: number): Promise<void> {
  assert.deepEqual(await paidCycles(shop), Array(subscriptions).fill(cycles));
  const { service, account } = shop;
  const rows = await service.rows<{ paid: number; status: string }>(
    `select i.status, (select count(*) from simulator.payments t join payments p on p.reference = t.reference
       where p.merchant_id = :account and p.subscription_id = i.subscription_id and p.cycle = i.cycle
         and t.captured_centavos > 0)::int as paid
       from subscription_invoices i where i.merchant_id = :account`,
    { account },
  );
  assert.deepEqual(rows, Array(subscriptions * cycles).fill({ status: 'paid', paid: 1 }));
}
