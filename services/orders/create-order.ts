import { findOrder } from '../../db/orders/orders.ts';
import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { findPaymentOfOrder } from '../../db/payments/payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PlacedOrder } from '../../domain/orders/order.ts';
import type { PaymentCommand } from '../../gateway/acquirer.ts';
import { openCardForAuthorization } from '../cards/open-card.ts';
import type { Deps, Finish } from '../deps.ts';
import { resumeOperation, runOperation } from '../payments/run-operation.ts';
import { invalid, Refusal, requireRow } from '../refusal.ts';
import { type BegunOrder, beginOrder } from './begin-order.ts';
import type { NewOrder } from './new-order.ts';
import { checkOrder, NO_SUCH_CARD, withEveryViolation } from './order-rules.ts';

export type { PlacedOrder };

/**
 * Places an order and asks the acquirer for its payment. A refused card is a placed order with a refused payment; an
 * acquirer that does not answer leaves it `processing`, and the reconciler settles it. Refusals: every rule of the
 * contract under its field's path, all that are broken at once; `unavailable` where there is no acquirer at all.
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
    // An earlier run that was only slow has written the order meanwhile: then the code is in use by this order itself.
    const own = await resume();
    if (own !== undefined) return own.answer;
    throw await withEveryViolation(deps, merchant, input, error);
  }
  return runOperation(deps, merchant, begun.operation, commandOf(merchant, begun), (tx, payment) =>
    finish(tx, { order: begun.order, payment }),
  );
}

/** The operator has to configure an acquirer. A retry after a few seconds does not help. */
function noAcquirer(): Refusal {
  return new Refusal('unavailable', {
    message: 'No order can be taken at the moment: the service is not connected to an acquirer.',
    retryAfter_s: 60,
  });
}

async function begin(deps: Deps, merchant: Merchant, input: NewOrder): Promise<BegunOrder> {
  const { pixExpiresAt } = await checkOrder(deps, merchant, input);
  if (!deps.acquirer.isConfigured) throw noAcquirer();
  const card = input.card === null ? null : await openCardForAuthorization(deps, merchant, input.card.id);
  if (card === undefined) throw invalid({ 'card.id': NO_SUCH_CARD });
  return deps.db.transaction(merchant, (tx) => beginOrder(deps, tx, merchant, input, card, pixExpiresAt));
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

/** What the acquirer is asked to do for a new order. */
function commandOf(merchant: Merchant, begun: BegunOrder): PaymentCommand {
  const { payment, customer, card } = begun;
  const common = {
    reference: payment.reference,
    account: merchant.merchantId,
    requestedAt: payment.createdAt,
    amount_centavos: payment.amount_centavos,
    customer: { customerId: customer.id, name: customer.name, document: customer.document?.value ?? null },
  };
  if (payment.pix !== null) {
    const { txid, expiresAt } = payment.pix;
    return { kind: 'pix_charge', ...common, txid, expiresAt };
  }
  return {
    kind: 'authorize',
    ...common,
    capture: !payment.card!.manualCapture,
    installments: payment.installments,
    mcc: payment.mcc,
    statementDescriptor: payment.card!.statementDescriptor,
    card: {
      number: card!.number,
      holder: card!.card.holder,
      expMonth: card!.card.expMonth,
      expYear: card!.card.expYear,
      securityCode: card!.securityCode,
      cardId: card!.card.id,
    },
  };
}
