import type { MerchantScope } from '../../domain/scope.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from './subscription-row.ts';

/** Steps that charge a customer. They wait while the merchant is not approved (contract row 13.31). */
const CHARGING_STEPS = `('open_cycle', 'attempt', 'send')`;

/** The condition on subscriptions whose step may run now. `:may_charge`: the merchant is approved. */
const MAY_RUN = `(:may_charge or due_step not in ${CHARGING_STEPS})`;

export interface DueSteps {
  /** Whether steps that charge a customer may run. */
  readonly mayCharge: boolean;
}

export interface DueLimits extends DueSteps {
  readonly until: Date;
  readonly limit: number;
}

/** Subscriptions of one merchant whose step is due, the longest due first. */
export async function findDueSubscriptions(
  q: Queryable,
  scope: MerchantScope,
  { until, limit, mayCharge }: DueLimits,
): Promise<Subscription[]> {
  const rows = await q.rows<SubscriptionRow>(
    scope,
    `select ${SUBSCRIPTION_COLUMNS} from subscriptions
      where {scope} and due_at <= :until and ${MAY_RUN} order by due_at, id limit :limit`,
    { until, limit, may_charge: mayCharge },
  );
  return rows.map(toSubscription);
}

/** Locks those of `ids` whose step is still due. Skips rows that another worker holds. */
export async function lockDueSubscriptions(
  tx: Tx,
  scope: MerchantScope,
  { ids, until, limit, mayCharge }: DueLimits & { readonly ids: readonly string[] },
): Promise<Subscription[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<SubscriptionRow>(
    scope,
    `select ${SUBSCRIPTION_COLUMNS} from subscriptions
      where {scope} and id = any(:ids) and due_at <= :until and ${MAY_RUN}
      order by due_at, id limit :limit for no key update skip locked`,
    { ids, until, limit, may_charge: mayCharge },
  );
  return rows.map(toSubscription);
}

/** When the next step of a subscription of the merchant is due, or null. */
export async function nextSubscriptionDue(
  q: Queryable,
  scope: MerchantScope,
  { mayCharge }: DueSteps,
): Promise<Date | null> {
  const row = await q.one<{ due_at: Date | null }>(
    scope,
    `select min(due_at) as due_at from subscriptions where {scope} and due_at is not null and ${MAY_RUN}`,
    { may_charge: mayCharge },
  );
  return row.due_at;
}

/** The condition on the subscriptions `s`: their merchant is approved, or their step charges nothing. */
const MAY_RUN_OF_MERCHANT = `(s.due_step not in ${CHARGING_STEPS} or exists (
  select from merchants m where {slot:m} and m.merchant_id = s.merchant_id and m.status = 'approved'))`;

/** Slots that have subscriptions due by `until`. Called once per process and round. */
export async function slotsWithDueSubscriptions(db: Database, until: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from subscriptions where due_at <= :until',
    { until },
  );
  return rows.map((row) => row.slot);
}

/** Merchants of one slot that have subscriptions due by `until`. */
export async function merchantsWithDueSubscriptions(
  db: Database,
  slot: number,
  claim: Claim & { readonly until: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select distinct s.merchant_id from subscriptions s
      where {slot:s} and s.due_at <= :until and ${claimCondition('s')} and ${MAY_RUN_OF_MERCHANT} limit :limit`,
    { ...claimParams(claim), until: claim.until },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/**
 * Condition on a clock `c`: it was advanced, is not being advanced now, and its merchant has subscriptions `s` due by it.
 * `:wall` is wall time.
 */
function isDueByClock(slot: string): string {
  return `c.offset_ms > 0 and c.target is null and exists (
    select from subscriptions s
     where ${slot} and s.merchant_id = c.merchant_id
       and s.due_at <= cast(:wall as timestamptz) + c.offset_ms * interval '1 millisecond')`;
}

/** Slots with merchants who have subscriptions due by a clock that was advanced. Sandbox only. */
export async function slotsWithSubscriptionsDueByClock(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct c.slot from merchant_clocks c where ${isDueByClock('s.slot = c.slot')}`,
    { wall },
  );
  return rows.map((row) => row.slot);
}

/** The merchants of one slot who have subscriptions due by a clock that was advanced. */
export async function merchantsWithSubscriptionsDueByClock(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select c.merchant_id from merchant_clocks c
      where {slot:c} and ${claimCondition('c')} and ${isDueByClock('{slot:s}')} limit :limit`,
    { ...claimParams(claim), wall: claim.wall },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}
