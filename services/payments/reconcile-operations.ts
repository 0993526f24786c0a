import { findMerchant } from '../../db/merchants/merchants.ts';
import { claimOpenOperations, type OpenOperation } from '../../db/payments/open-operations.ts';
import { findOperation } from '../../db/payments/payment-operations.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Acquirer } from '../../gateway/acquirer.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { Deps } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { reconcileBeforeAdvance } from './reconcile-before-advance.ts';
import { resumeOperation } from './run-operation.ts';

/** Reconciles the open operations of one merchant before its clock is advanced. Returns how many it settled. */
export function reconcileOperationsOf(deps: Deps, scope: MerchantScope): Promise<number> {
  return reconcileBeforeAdvance(deps, scope, {
    claim: (claim) => claimOpenOperations(deps.db, scope.slot, claim),
    settle: async (open) => (await reconcileOperation(deps, open)) === 'settled',
    fields: ({ operation }: OpenOperation) => ({ operation_id: operation.id }),
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
