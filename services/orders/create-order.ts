import { findOrder } from '../../db/orders/orders.ts';
import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { findPaymentOfOrder } from '../../db/payments/payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PlacedOrder } from '../../domain/orders/order.ts';
import type { Deps, Finish } from '../deps.ts';
import { methodInput, methodModule } from '../payments/methods/index.ts';
import { resumeOperation, runOperation } from '../payments/run-operation.ts';
import { Refusal, requireRow } from '../refusal.ts';
import { type BegunOrder, beginOrder } from './begin-order.ts';
import type { NewOrder } from './new-order.ts';
import { checkOrder, withEveryViolation } from './order-rules.ts';

export type { PlacedOrder };

/**
 * Places an order and asks the acquirer for its payment. If the payment is refused, the order is still placed. If the
 * acquirer does not answer, the payment stays `processing`, and the reconciler settles it. Refusals: all fields that
 * break a rule, together; `unavailable` if no acquirer is configured.
 */
export async function createOrder<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewOrder,
  finish: Finish<PlacedOrder, Answer>,
): Promise<Answer> {
  const resume = () =>
    input.isRerun ? resumeOrder(deps, merchant, input.id, finish) : Promise.resolve(undefined);
  const earlier = await resume();
  if (earlier !== undefined) return earlier.answer;
  let begun: BegunOrder;
  try {
    begun = await begin(deps, merchant, input);
  } catch (error) {
    // An earlier run of this request was slow and has written the order meanwhile, so this order itself uses the code.
    const own = await resume();
    if (own !== undefined) return own.answer;
    throw await withEveryViolation(deps, merchant, input, error);
  }
  const { order, operation, command } = begun;
  return runOperation(deps, merchant, operation, command, (tx, payment) => finish(tx, { order, payment }));
}

/** The operator has to configure an acquirer. A retry after a few seconds does not help. */
function noAcquirer(): Refusal {
  return new Refusal('unavailable', {
    message: 'No order can be taken at the moment: the service is not connected to an acquirer.',
    retryAfter_s: 60,
  });
}

async function begin(deps: Deps, merchant: Merchant, input: NewOrder): Promise<BegunOrder> {
  await checkOrder(deps, merchant, input);
  if (!deps.acquirer.isConfigured) throw noAcquirer();
  const { payment } = input;
  const prepared = await methodModule(payment.method).prepare(deps, merchant, methodInput(payment));
  return deps.db.transaction(merchant, (tx) => beginOrder(deps, tx, merchant, input, prepared));
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
