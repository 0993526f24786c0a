import type { CheckClaim } from '../../db/due-checks.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { OPERATION_GRACE_MS } from './run-operation.ts';

/** The maximum of rows of a merchant that are reconciled at the same time. */
const ROUND = 20;
/** How long other workers leave claimed rows alone. Longer than two inquiries and a command take. */
export const RECONCILE_LEASE_MS = 20_000;
/**
 * The longest time that a request waits for the acquirer. After it, the request only has to write the result. One that
 * is repeated can wait longer, but sends by the same reference.
 */
const MAX_CALL_MS = 10_000;

/** Rows whose outcome the acquirer is asked for, such as open operations. */
interface OpenRows<Row> {
  readonly claim: (claim: CheckClaim) => Promise<readonly Row[]>;
  /** Returns false if the row stays open. */
  readonly settle: (row: Row) => Promise<boolean>;
  /** The fields of a row in the log. */
  readonly fields: (row: Row) => object;
}

/**
 * Reconciles the open rows of one merchant before its clock is advanced, including those that are not due yet. Leaves
 * out rows for which a request still waits. Ends when it settles no more, for example because the acquirer does not
 * answer. Returns how many it settled.
 */
export async function reconcileBeforeAdvance<Row>(
  deps: Deps,
  { merchantId }: MerchantScope,
  { claim, settle, fields }: OpenRows<Row>,
): Promise<number> {
  // A failure is logged, so that it does not stop the others. The row is claimed again when its lease ends.
  const settleOrLog = (row: Row) =>
    settle(row).catch((err: unknown) => {
      deps.log.error({ ...fields(row), merchant_id: merchantId, err }, 'reconciling failed');
      return false;
    });
  let settled = 0;
  for (;;) {
    const wall_ms = deps.wall().getTime();
    const rows = await claim({
      only: merchantId,
      except: [],
      until: new Date(wall_ms + OPERATION_GRACE_MS - MAX_CALL_MS),
      leasedUntil: new Date(wall_ms + RECONCILE_LEASE_MS),
      limit: ROUND,
      isAdvance: true,
    });
    const results = await Promise.all(rows.map(settleOrLog));
    const settledNow = results.filter(Boolean).length;
    settled += settledNow;
    if (settledNow === 0 || rows.length < ROUND) return settled;
  }
}
