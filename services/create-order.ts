import { findOrder, type OrderItem } from '../db/orders.ts';
import { findFirstOperation } from '../db/payment-operations.ts';
import { findPaymentOfOrder } from '../db/payments.ts';
import type { PlacedOrder } from '../db/placed-orders.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { InquiryOutcome } from '../gateway/acquirer.ts';
import { type BegunOrder, beginOrder } from './begin-order.ts';
import type { Deps, Finish } from './deps.ts';
import { openCardForAuthorization } from './open-card.ts';
import { checkOrder, NO_SUCH_CARD, withEveryViolation } from './order-rules.ts';
import { invalid, Refusal, stillThere } from './refusal.ts';
import type { CustomerReference } from './resolve-customer.ts';
import { resumeOperation, runOperation } from './run-operation.ts';

/** An order as a merchant places it. Amounts are centavos; times are texts as they came. */
export interface NewOrder {
  readonly id: string;
  /** An earlier run of this request may have begun under this id. */
  readonly isRerun: boolean;
  readonly code: string;
  readonly mcc: string;
  readonly description: string | null;
  readonly notificationUrl: string | null;
  readonly customer: CustomerReference;
  readonly amount_centavos: number;
  readonly currency: string;
  readonly installments: number;
  readonly method: 'credit_card' | 'pix';
  readonly card: { id: string; statementDescriptor: string | null; capture: boolean } | null;
  readonly pixExpiresAt: string | null;
  readonly items: readonly OrderItem[];
  readonly metadata: Readonly<Record<string, string>>;
}

export type { PlacedOrder };

/**
 * Places an order and asks the acquirer for its payment. A refused card is a placed order with a refused payment; an
 * acquirer that does not answer leaves it `processing`, and the reconciler settles it. Refusals: every rule of the
 * contract under its field's path, all that are broken at once; 503 where there is no acquirer at all.
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
    // An earlier run that was only slow has written the order meanwhile: then the code is not used by another.
    const own = await resume();
    if (own !== undefined) return own.answer;
    throw await withEveryViolation(deps, merchant, input, error);
  }
  return runOperation(
    deps,
    merchant,
    begun.operation,
    () => askAcquirer(deps, merchant, begun),
    (tx, payment) => finish(tx, { order: begun.order, payment }),
  );
}

/** Whoever runs the service has to mend this: asking again soon is of no use. */
function noAcquirer(): Refusal {
  return new Refusal('unavailable', {
    code: 'service_unavailable',
    message: 'No order can be taken at the moment: the service is not connected to an acquirer.',
    retryAfter_s: 60,
  });
}

async function begin(deps: Deps, merchant: Merchant, input: NewOrder): Promise<BegunOrder> {
  const { pixExpiresAt } = await checkOrder(deps, merchant, input);
  if (deps.acquirer.isMissing) throw noAcquirer();
  const card = input.card === null ? null : await openCardForAuthorization(deps, merchant, input.card.id);
  if (card === undefined) throw invalid({ 'payment.credit_card.id': NO_SUCH_CARD });
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
  const payment = stillThere(await findPaymentOfOrder(deps.db, merchant, id));
  const operation = stillThere(await findFirstOperation(deps.db, merchant, payment.id));
  const answer = await resumeOperation(deps, merchant, operation, (tx, settled) =>
    finish(tx, { order, payment: settled }),
  );
  return { answer };
}

function askAcquirer(deps: Deps, merchant: Merchant, begun: BegunOrder): Promise<InquiryOutcome> {
  const { payment, customer, card } = begun;
  const common = {
    reference: payment.reference,
    account: merchant.merchantId,
    requestedAt: payment.createdAt,
    amount_centavos: payment.amount_centavos,
    customer: { customerId: customer.id, name: customer.name, document: customer.document?.value ?? null },
  };
  if (payment.pix !== null) {
    return deps.acquirer.createPixCharge({
      ...common,
      txid: payment.pix.txid,
      expiresAt: payment.pix.expiresAt,
    });
  }
  return deps.acquirer.authorizeCard({
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
  });
}
