import { deleteSecurityCode } from '../../db/cards/card-security-codes.ts';
import { lockUndeletedCard } from '../../db/cards/cards.ts';
import type { Tx } from '../../db/engine/database.ts';
import { placeOrder } from '../../db/orders/place-order.ts';
import type { NewOperation } from '../../db/payments/payment-operations.ts';
import { operationReference, pixTxid, publicHash, uuidV7 } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { Payment, PaymentPix } from '../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { plainAscii } from '../../domain/text.ts';
import type { OpenCard } from '../cards/open-card.ts';
import { type PayingCustomer, resolveCustomer } from '../customers/resolve-customer.ts';
import { type Deps, now } from '../deps.ts';
import { paymentEvent } from '../payments/payment-event.ts';
import { firstCheckAt } from '../payments/run-operation.ts';
import { invalid } from '../refusal.ts';
import type { NewOrder } from './new-order.ts';
import { CODE_USED, NO_SUCH_CARD } from './order-rules.ts';

/** How long a Pix may be paid where the order does not say. */
const PIX_DEFAULT_MS = 30 * 60_000;

/** What a card statement holds, and so what the contract lets through. */
const STATEMENT_MAX_CHARACTERS = 22;

/** An order of which everything is written but the outcome. */
export interface BegunOrder {
  readonly order: Order;
  readonly payment: Payment;
  readonly operation: PaymentOperation;
  readonly customer: PayingCustomer;
  readonly card: OpenCard | null;
}

/**
 * Transaction A: the customer where it is new, the order, its payment and the intent to ask the acquirer. Refuses
 * `customer.id`, `card.id` and `code`.
 */
export async function beginOrder(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  input: NewOrder,
  opened: OpenCard | null,
  pixExpiresAt: Date | null,
): Promise<BegunOrder> {
  const at = now(deps, merchant);
  // Both are reads, sent together. What is wrong with the customer is reported first.
  const locking = opened && lockUndeletedCard(tx, merchant, opened.card.id);
  const [customer, isLive] = await Promise.all([
    resolveCustomer({ deps, tx, merchant }, input.customer),
    locking,
  ]);
  if (opened !== null && (opened.card.customerId !== customer.id || !isLive)) {
    throw invalid({ 'card.id': NO_SUCH_CARD });
  }
  const order = orderRecord(input, customer, at);
  const payment = newPayment(deps, merchant, input, order, opened, pixExpiresAt);
  const operation = beginning(deps, payment);
  const event = paymentEvent(deps, 'payment.created', payment, at);
  const [card, isPlaced] = await Promise.all([
    opened && useSecurityCode(tx, merchant, opened),
    placeOrder(tx, merchant, { order, payment, operation, event }),
  ]);
  if (!isPlaced) throw invalid({ code: CODE_USED });
  return {
    order,
    payment,
    operation: { ...operation, state: 'pending', refusalCode: null, attempts: 0 },
    customer,
    card,
  };
}

/** Takes the security code out of the vault: it is used once. */
async function useSecurityCode(tx: Tx, merchant: Merchant, opened: OpenCard): Promise<OpenCard> {
  const isFirst = await deleteSecurityCode(tx, merchant, opened.card.id);
  return isFirst ? opened : { ...opened, securityCode: null };
}

/** The payment before the acquirer is asked. */
function newPayment(
  deps: Deps,
  merchant: Merchant,
  input: NewOrder,
  order: Order,
  card: OpenCard | null,
  pixExpiresAt: Date | null,
): Payment {
  const at = order.createdAt;
  return {
    id: uuidV7(at.getTime(), deps.random),
    hash: publicHash(merchant.slot, deps.random),
    orderId: order.id,
    orderCode: order.code,
    customerId: order.customerId,
    status: 'processing',
    pendingOperation: null,
    method: input.method,
    amount_centavos: input.amount_centavos,
    currency: input.currency,
    installments: input.installments,
    captured_centavos: 0,
    refunded_centavos: 0,
    refunding_centavos: 0,
    reference: operationReference(merchant.slot, deps.random),
    mcc: input.mcc,
    card: card === null ? null : paymentCard(merchant, input, card),
    pix:
      input.method === 'pix'
        ? newPix(deps, merchant, pixExpiresAt ?? new Date(at.getTime() + PIX_DEFAULT_MS))
        : null,
    refusal: null,
    retryAttempts: 0,
    billingDate: null,
    dueAt: null,
    metadata: input.metadata,
    history: [{ status: 'processing', at }],
    createdAt: at,
    updatedAt: at,
  };
}

/** The intent to authorize the card, or to register the Pix charge. */
function beginning(deps: Deps, payment: Payment): NewOperation {
  return {
    id: uuidV7(payment.createdAt.getTime(), deps.random),
    paymentId: payment.id,
    paymentAmount_centavos: payment.amount_centavos,
    refundId: null,
    kind: payment.pix === null ? 'authorize' : 'pix_charge',
    amount_centavos: payment.amount_centavos,
    reference: payment.reference,
    createdAt: payment.createdAt,
    checkAt: firstCheckAt(deps),
  };
}

function orderRecord(input: NewOrder, customer: PayingCustomer, at: Date): Order {
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

function paymentCard(merchant: Merchant, input: NewOrder, { card }: OpenCard): Payment['card'] {
  return {
    cardId: card.id,
    brand: card.brand,
    first6: card.first6,
    last4: card.last4,
    statementDescriptor: input.card!.statementDescriptor ?? descriptorOf(merchant),
    manualCapture: !input.card!.capture,
    authorizationCode: null,
  };
}

/** What the buyer reads where the order does not say: the merchant's name. */
function descriptorOf({ name }: Merchant): string | null {
  return plainAscii(name, STATEMENT_MAX_CHARACTERS) || null;
}

function newPix(deps: Deps, merchant: Merchant, expiresAt: Date): PaymentPix {
  const txid = pixTxid(merchant.slot, deps.random);
  return { txid, qrCode: null, qrImage: null, expiresAt, endToEndId: null };
}
