import type { MerchantScope } from '../../domain/scope.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { DueRows } from '../due-rows.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { rowsById } from '../engine/rows-by-id.ts';
import type { SqlParams } from '../engine/sql.ts';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from './subscription-row.ts';

/** Steps that charge a customer. They wait while the merchant is not approved (contract row 13.31). */
const CHARGING_STEPS = `('open_cycle', 'attempt', 'send')`;

const SKIPPING = 'for no key update skip locked';

const CHARGES_NOTHING = `due_step not in ${CHARGING_STEPS}`;

/**
 * The condition on subscriptions whose step may run now. Postgres reads the few that charge nothing by their own index.
 */
function mayRunIf(mayCharge: boolean): string {
  return mayCharge ? 'true' : CHARGES_NOTHING;
}

/** The condition that a merchant `m` is approved now. */
const isApproved = (isMerchant: string) =>
  `exists (select from merchants m where ${isMerchant} and m.status = 'approved')`;

export interface DueLimits {
  /** Whether steps that charge a customer may run. */
  readonly mayCharge: boolean;
  readonly until: Date;
  readonly limit: number;
}

/** Wall time. */
interface Lease {
  readonly wall: Date;
  readonly leasedUntil: Date;
}

/** Subscriptions that a worker has claimed, with the end of its lease (wall time). */
interface ClaimedRows {
  readonly ids: readonly string[];
  readonly leasedUntil: Date;
}

/**
 * Claims subscriptions of one merchant whose step is due, the longest due first. No other worker claims them before the
 * lease ends, or before they are changed.
 */
export async function claimDueSubscriptions(
  q: Queryable,
  scope: MerchantScope,
  { until, limit, mayCharge, wall, leasedUntil }: DueLimits & Lease,
): Promise<Subscription[]> {
  const rows = await q.rows<SubscriptionRow>(
    scope,
    `with due as materialized (
       select id from subscriptions
        where {scope} and due_at <= :until and (leased_until is null or leased_until <= :wall)
          and ${mayRunIf(mayCharge)}
        order by due_at, id limit :limit for no key update skip locked)
     update subscriptions s set leased_until = :leased_until
       from due where {scope:s} and s.id = due.id
     returning ${SUBSCRIPTION_COLUMNS.replace(/(\w+)/g, 's.$1')}`,
    { until, limit, wall, leased_until: leasedUntil },
  );
  return rows.toSorted(byDueTime).map(toSubscription);
}

function byDueTime(a: SubscriptionRow, b: SubscriptionRow): number {
  return a.due_at!.getTime() - b.due_at!.getTime() || (a.id < b.id ? -1 : 1);
}

const CLAIMED = 'select id from subscriptions where {scope} and leased_until = :leased_until';

/** Updates claimed subscriptions: first those that nobody has locked, then those that a request has. */
function updateClaimed(update: string): readonly string[] {
  return ([SKIPPING, 'for no key update'] as const).map(
    (lock) => `with unchanged as materialized (${rowsById(CLAIMED, { lock })})
      ${update} from unchanged where {scope:s} and s.id = unchanged.id`,
  );
}

const RELEASE = updateClaimed('update subscriptions s set leased_until = null');
const POSTPONE = updateClaimed('update subscriptions s set due_at = :due_at, leased_until = null');

/**
 * Lets any worker claim subscriptions again whose step was not taken. Skips rows that another worker has claimed since,
 * because the lease was over.
 */
export async function releaseSubscriptions(
  q: Queryable,
  scope: MerchantScope,
  { ids, leasedUntil }: ClaimedRows,
): Promise<void> {
  await putBack(q, scope, RELEASE, { ids, leased_until: leasedUntil });
}

/**
 * Ends the lease of claimed subscriptions. Waits for a request that has locked one: if it changes nothing, the lease
 * would delay the step, and an advance of the clock. The others do not wait for it.
 */
async function putBack(
  q: Queryable,
  scope: MerchantScope,
  statements: readonly string[],
  params: SqlParams & { readonly ids: readonly string[] },
): Promise<void> {
  if (params.ids.length === 0) return;
  for (const statement of statements) await q.execute(scope, statement, params);
}

/**
 * Locks those of `ids` whose step is still due and may run, the longest due first. Skips rows that another worker
 * holds. The merchant may have been suspended since they were claimed.
 */
export async function lockDueSubscriptions(
  tx: Tx,
  scope: MerchantScope,
  { ids, until }: { readonly ids: readonly string[]; readonly until: Date },
): Promise<Subscription[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<SubscriptionRow>(
    scope,
    rowsById(
      `select ${SUBSCRIPTION_COLUMNS} from subscriptions
        where {scope} and due_at <= :until and (${CHARGES_NOTHING} or ${isApproved('{scope:m}')})`,
      { lock: SKIPPING },
    ),
    { ids, until },
  );
  return rows.toSorted(byDueTime).map(toSubscription);
}

/**
 * Lets the steps of claimed subscriptions wait until `dueAt`. Skips those that were changed or woken since they were
 * claimed, which ends their lease. The next change of a subscription plans its step again.
 */
export async function postponeSubscriptions(
  q: Queryable,
  scope: MerchantScope,
  { ids, leasedUntil, dueAt }: ClaimedRows & { readonly dueAt: Date },
): Promise<void> {
  const params = { ids, leased_until: leasedUntil, due_at: dueAt };
  await putBack(q, scope, POSTPONE, params);
}

/**
 * Records that the means of payment of a claimed subscription cannot be read at `at`. Returns when that happened first
 * since the subscription was changed. If it was changed since it was claimed, its means may be others, and nothing is
 * recorded.
 */
export async function recordUnreadMeans(
  q: Queryable,
  scope: MerchantScope,
  { id, leasedUntil, at }: { readonly id: string; readonly leasedUntil: Date; readonly at: Date },
): Promise<Date> {
  const row = await q.maybeOne<{ since: Date }>(
    scope,
    `update subscriptions set means_unread_since = coalesce(means_unread_since, :at)
      where {scope} and id = :id and leased_until = :leased_until returning means_unread_since as since`,
    { id, leased_until: leasedUntil, at },
  );
  return row?.since ?? at;
}

/**
 * Makes a step that was postponed due at its own time again. A worker that has claimed it does not postpone it any
 * more.
 */
export async function wakeSubscription(
  tx: Tx,
  scope: MerchantScope,
  { id, dueAt }: { readonly id: string; readonly dueAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `update subscriptions set due_at = :due_at, leased_until = null
      where {scope} and id = :id and (due_at > :due_at or leased_until is not null)`,
    { id, due_at: dueAt },
  );
}

/** Subscriptions with a step that is due, and whose merchant is approved or whose step charges nothing. */
export const DUE_SUBSCRIPTIONS: DueRows = {
  table: 'subscriptions',
  isReady: mayRunIf,
  mayRun: (merchantId, until) => `(
    ${isApproved(`{slot:m} and m.merchant_id = ${merchantId}`)}
    or exists (
      select from subscriptions f
       where {slot:f} and f.merchant_id = ${merchantId} and f.due_at <= ${until} and f.${CHARGES_NOTHING}))`,
};
