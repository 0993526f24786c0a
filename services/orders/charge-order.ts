import { findOrder } from '../../db/orders/orders.ts';
import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { findPaymentOfOrder } from '../../db/payments/payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PlacedOrder } from '../../domain/orders/order.ts';
import type { Deps, Finish } from '../deps.ts';
import { resumeOperation, runOperation } from '../payments/run-operation.ts';
import { runOrResume } from '../payments/run-or-resume.ts';
import { requireRow } from '../refusal.ts';
import type { BegunOrder } from './begin-order.ts';
import type { NewOrder } from './new-order.ts';

interface OrderRun extends Pick<NewOrder, 'id' | 'isRerun'> {
  readonly begin: () => Promise<BegunOrder>;
}

/**
 * Writes an order by `begin`, and asks the acquirer for its payment. If the payment is refused, the order is still
 * placed. If the acquirer does not answer, the payment stays `processing`, and the reconciler settles it. If an earlier
 * run of the request has written the order, that order is settled.
 */
export async function chargeOrder<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, isRerun, begin }: OrderRun,
  finish: Finish<PlacedOrder, Answer>,
): Promise<Answer> {
  return runOrResume({
    isRerun,
    resume: () => resumeOrder(deps, merchant, id, finish),
    begin,
    send: ({ order, ...begun }) =>
      runOperation(deps, merchant, begun, (tx, payment) => finish(tx, { order, payment })),
  });
}

async function resumeOrder<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<PlacedOrder, Answer>,
): Promise<{ answer: Answer } | undefined> {
  const order = await findOrder(deps.db, merchant, id);
  if (order === undefined) return undefined;
  const payment = requireRow(await findPaymentOfOrder(deps.db, merchant, id));
  const operation = requireRow(await findFirstOperation(deps.db, merchant, payment.id));
  const answer = await resumeOperation(deps, merchant, operation, (tx, settled) =>
    finish(tx, { order, payment: settled }),
  );
  return { answer };
}
