import { deleteSecurityCode } from '../db/card-security-codes.ts';
import { lockLiveCard } from '../db/cards.ts';
import type { Tx } from '../db/database.ts';
import { findOrder, insertOrder, type OrderItem, type OrderRecord } from '../db/orders.ts';
import { findFirstOperation, insertOperation, type PaymentOperation } from '../db/payment-operations.ts';
import { findPaymentOfOrder, insertPayment } from '../db/payments.ts';
import { operationReference, pixTxid, publicHash, uuidV7 } from '../domain/identifiers.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment, PaymentPix } from '../domain/payment.ts';
import type { InquiryOutcome } from '../gateway/acquirer.ts';
import { type Deps, type Finish, now } from './deps.ts';
import { type OpenCard, openCardForAuthorization } from './open-card.ts';
import { checkOrder } from './order-rules.ts';
import { recordPaymentEvent } from './record-event.ts';
import { invalid } from './refusal.ts';
import { type CustomerReference, type PayingCustomer, resolveCustomer } from './resolve-customer.ts';
import { firstCheckAt, resumeOperation, runOperation } from './run-operation.ts';

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

export interface PlacedOrder {
  readonly order: OrderRecord;
  readonly payment: Payment;
}

interface Begun {
  readonly order: OrderRecord;
  readonly payment: Payment;
  readonly operation: PaymentOperation;
  readonly customer: PayingCustomer;
  readonly card: OpenCard | null;
}

const NO_SUCH_CARD = 'The customer has no such card.';

/**
 * Places an order and asks the acquirer for its payment. A refused card is a placed order with a refused payment; an
 * acquirer that does not answer leaves it `processing`, and the reconciler settles it. Refusals: every rule of the
 * contract under its field's path.
 */
export async function createOrder<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewOrder,
  finish: Finish<PlacedOrder, Answer>,
): Promise<Answer> {
  const earlier = input.isRerun ? await resumeOrder(deps, merchant, input.id, finish) : undefined;
  if (earlier !== undefined) return earlier.answer;
  const { pixExpiresAt } = await checkOrder(deps, merchant, input);
  const card = input.card === null ? null : await openCard(deps, merchant, input.card.id);
  const begun = await deps.db.transaction((tx) => begin(deps, tx, merchant, input, card, pixExpiresAt));
  return runOperation(
    deps,
    merchant,
    begun.operation,
    () => askAcquirer(deps, merchant, begun),
    (tx, payment) => finish(tx, { order: begun.order, payment }),
  );
}

async function resumeOrder<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<PlacedOrder, Answer>,
): Promise<{ answer: Answer } | undefined> {
  const order = await findOrder(deps.db, merchant, id);
  if (order === undefined) return undefined;
  const payment = (await findPaymentOfOrder(deps.db, merchant, id))!;
  const operation = (await findFirstOperation(deps.db, merchant, payment.id))!;
  const answer = await resumeOperation(deps, merchant, operation, (tx, settled) =>
    finish(tx, { order, payment: settled }),
  );
  return { answer };
}

async function openCard(deps: Deps, merchant: Merchant, cardId: string): Promise<OpenCard> {
  const card = await openCardForAuthorization(deps, merchant, cardId);
  if (card === undefined) throw invalid({ 'payment.credit_card.id': NO_SUCH_CARD });
  return card;
}

/** Transaction A: the customer where it is new, the order, its payment and the intent to ask the acquirer. */
async function begin(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  input: NewOrder,
  opened: OpenCard | null,
  pixExpiresAt: Date,
): Promise<Begun> {
  const at = now(deps, merchant);
  const customer = await resolveCustomer(tx, deps, merchant, input.customer);
  const card = opened === null ? null : await takeCard(tx, merchant, opened, customer);
  const order = orderRecord(input, customer, at);
  if (!(await insertOrder(tx, merchant, order))) throw invalid({ code: 'You have used this code before.' });
  const payment = await insertPayment(tx, merchant, {
    id: uuidV7(at.getTime(), deps.random),
    hash: publicHash(merchant.slot, deps.random),
    orderId: order.id,
    orderCode: order.code,
    customerId: customer.id,
    status: 'processing',
    method: input.method,
    amount_centavos: input.amount_centavos,
    currency: input.currency,
    installments: input.installments,
    reference: operationReference(merchant.slot, deps.random),
    mcc: input.mcc,
    card: card === null ? null : paymentCard(input, card),
    pix: input.method === 'pix' ? newPix(deps, merchant, pixExpiresAt) : null,
    billingDate: null,
    metadata: input.metadata,
    createdAt: at,
  });
  const operation = await insertOperation(tx, merchant, {
    id: uuidV7(at.getTime(), deps.random),
    paymentId: payment.id,
    refundId: null,
    kind: input.method === 'pix' ? 'pix_charge' : 'authorize',
    amount_centavos: payment.amount_centavos,
    reference: payment.reference,
    createdAt: at,
    checkAt: firstCheckAt(deps),
  });
  await recordPaymentEvent(deps, tx, merchant, 'payment.created', payment, at);
  return { order, payment, operation: operation!, customer, card };
}

/** Holds off a deletion of the card, and takes its security code out of the vault: it is used once. */
async function takeCard(
  tx: Tx,
  merchant: Merchant,
  opened: OpenCard,
  customer: PayingCustomer,
): Promise<OpenCard> {
  const isTheirs = opened.card.customerId === customer.id;
  if (!isTheirs || !(await lockLiveCard(tx, merchant, opened.card.id))) {
    throw invalid({ 'payment.credit_card.id': NO_SUCH_CARD });
  }
  const isFirst = await deleteSecurityCode(tx, merchant, opened.card.id);
  return isFirst ? opened : { ...opened, securityCode: null };
}

function orderRecord(input: NewOrder, customer: PayingCustomer, at: Date): OrderRecord {
  return {
    id: input.id,
    code: input.code,
    customerId: customer.id,
    mcc: input.mcc,
    amount_centavos: input.amount_centavos,
    description: input.description,
    notificationUrl: input.notificationUrl,
    items: input.items,
    metadata: input.metadata,
    createdAt: at,
  };
}

function paymentCard(input: NewOrder, { card }: OpenCard): Payment['card'] {
  return {
    cardId: card.id,
    brand: card.brand,
    first6: card.first6,
    last4: card.last4,
    statementDescriptor: input.card!.statementDescriptor,
    manualCapture: !input.card!.capture,
    authorizationCode: null,
  };
}

function newPix(deps: Deps, merchant: Merchant, expiresAt: Date): PaymentPix {
  const txid = pixTxid(merchant.slot, deps.random);
  return { txid, qrCode: null, qrImage: null, expiresAt, endToEndId: null };
}

function askAcquirer(deps: Deps, merchant: Merchant, begun: Begun): Promise<InquiryOutcome> {
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
