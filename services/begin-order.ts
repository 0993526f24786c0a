import { deleteSecurityCode } from '../db/card-security-codes.ts';
import { lockLiveCard } from '../db/cards.ts';
import type { Tx } from '../db/database.ts';
import { insertOrder, type OrderRecord } from '../db/orders.ts';
import { insertOperation, type PaymentOperation } from '../db/payment-operations.ts';
import { insertPayment } from '../db/payments.ts';
import { operationReference, pixTxid, publicHash, uuidV7 } from '../domain/identifiers.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment, PaymentPix } from '../domain/payment.ts';
import { plainAscii } from '../domain/text.ts';
import type { NewOrder } from './create-order.ts';
import { type Deps, now } from './deps.ts';
import type { OpenCard } from './open-card.ts';
import { CODE_USED, NO_SUCH_CARD } from './order-rules.ts';
import { recordPaymentEvent } from './record-event.ts';
import { invalid } from './refusal.ts';
import { type PayingCustomer, resolveCustomer } from './resolve-customer.ts';
import { firstCheckAt } from './run-operation.ts';

/** How long a Pix may be paid where the order does not say. */
const PIX_DEFAULT_MS = 30 * 60_000;

/** What a card statement holds, and so what the contract lets through. */
const STATEMENT_MAX_CHARACTERS = 22;

/** An order of which everything is written but the outcome. */
export interface BegunOrder {
  readonly order: OrderRecord;
  readonly payment: Payment;
  readonly operation: PaymentOperation;
  readonly customer: PayingCustomer;
  readonly card: OpenCard | null;
}

/**
 * Transaction A: the customer where it is new, the order, its payment and the intent to ask the acquirer. Refusals
 * (422) on `customer.id`, `payment.credit_card.id`, `code`.
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
  const customer = await resolveCustomer(tx, deps, merchant, input.customer);
  const card = opened === null ? null : await takeCard(tx, merchant, opened, customer);
  const order = orderRecord(input, customer, at);
  if (!(await insertOrder(tx, merchant, order))) throw invalid({ code: CODE_USED });
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
    card: card === null ? null : paymentCard(input, merchant, card),
    pix:
      input.method === 'pix'
        ? newPix(deps, merchant, pixExpiresAt ?? new Date(at.getTime() + PIX_DEFAULT_MS))
        : null,
    billingDate: null,
    metadata: input.metadata,
    createdAt: at,
  });
  const operation = await insertOperation(tx, merchant, {
    id: uuidV7(at.getTime(), deps.random),
    paymentId: payment.id,
    paymentAmount_centavos: payment.amount_centavos,
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

function paymentCard(input: NewOrder, merchant: Merchant, { card }: OpenCard): Payment['card'] {
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
