import { findMerchant } from '../../db/merchants/merchants.ts';
import { claimOpenOperations, type OpenOperation } from '../../db/payments/open-operations.ts';
import { findOperation } from '../../db/payments/payment-operations.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Acquirer } from '../../gateway/acquirer.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { Deps } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { OPERATION_GRACE_MS, resumeOperation } from './run-operation.ts';

/** The maximum of operations of a merchant whose clock is advanced that are reconciled at the same time. */
const ROUND = 20;
/** How long other workers leave claimed operations alone. Longer than two inquiries and a command take. */
export const RECONCILE_LEASE_MS = 20_000;
/**
 * The longest time that a request waits for the acquirer. After it, the request only has to write the result. One that
 * is repeated can wait longer, but sends by the same reference.
 */
const MAX_CALL_MS = 10_000;

/** Up to which first check the advance of a clock reconciles what was sent: no request waits for it any more. */
export function firstAdvanceCheck(wall: Date): Date {
  return new Date(wall.getTime() + OPERATION_GRACE_MS - MAX_CALL_MS);
}

/**
 * Reconciles the open operations of one merchant before its clock is advanced, including those that are not due yet.
 * Leaves out operations for which a request still waits. Ends when it settles no more, for example because the acquirer
 * does not answer. Returns how many it settled.
 */
export async function reconcileOperationsOf(deps: Deps, scope: MerchantScope): Promise<number> {
  let settled = 0;
  for (;;) {
    const round = await reconcileRound(deps, scope);
    settled += round.settled;
    if (round.settled === 0 || round.claimed < ROUND) return settled;
  }
}

async function reconcileRound(deps: Deps, scope: MerchantScope) {
  const wall_ms = deps.wall().getTime();
  const claimed = await claimOpenOperations(deps.db, scope.slot, {
    only: scope.merchantId,
    except: [],
    until: firstAdvanceCheck(deps.wall()),
    leasedUntil: new Date(wall_ms + RECONCILE_LEASE_MS),
    limit: ROUND,
    isAdvance: true,
  });
  const results = await Promise.all(claimed.map((open) => settleOrLog(deps, open)));
  return { claimed: claimed.length, settled: results.filter((result) => result === 'settled').length };
}

/** Logs a failure, so that it does not stop the others. The operation is claimed again when its lease ends. */
async function settleOrLog(deps: Deps, open: OpenOperation): Promise<Reconciled | 'failed'> {
  return reconcileOperation(deps, open).catch((error: unknown) => {
    const fields = { operation_id: open.operation.id, merchant_id: open.merchantId, err: error };
    deps.log.error(fields, 'reconciling failed');
    return 'failed';
  });
}

/** The result of an inquiry; `open` when the acquirer is still working on the operation. */
type Reconciled = 'settled' | 'open' | 'no answer';

/** Asks the acquirer, by our reference, for the outcome of a claimed operation, and settles the operation by it. */
export async function reconcileOperation(
  deps: Deps,
  { operation, ...scope }: OpenOperation,
): Promise<Reconciled> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) return 'open';
  let hasAnswered = true;
  const inquire: Acquirer['inquire'] = async (inquiry) => {
    const outcome = await deps.acquirer.inquire(inquiry);
    hasAnswered = outcome.kind !== 'unknown';
    return outcome;
  };
  const observed: Deps = { ...deps, acquirer: { ...deps.acquirer, inquire } };
  const isSettled = await resumeOperation(observed, merchant, operation, async (tx, { id: objectId }) => {
    const { state } = requireRow(await findOperation(tx, merchant, operation.id));
    if (state === 'pending') return false;
    await recordClockStep(deps, tx, merchant, { step: `reconcile_${operation.kind}`, objectId });
    return true;
  });
  if (isSettled) return 'settled';
  return hasAnswered ? 'open' : 'no answer';
}
