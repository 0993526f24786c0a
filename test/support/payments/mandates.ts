/** Mandates of Pix Automático and their charges, without a subscription. */
import { randomUUID } from 'node:crypto';
import { findMerchant } from '../../../db/merchants/merchants.ts';
import { placeOrder } from '../../../db/orders/place-order.ts';
import { findMandate } from '../../../db/payments/mandates.ts';
import { lockPayment } from '../../../db/payments/payments.ts';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { AgreedTerms, Mandate } from '../../../domain/payments/mandate.ts';
import type { PixRecurringDetails } from '../../../domain/payments/methods/pix-recurring.ts';
import { newPayment } from '../../../domain/payments/new-payment.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../../domain/payments/payment-operation.ts';
import { now, returnResult } from '../../../services/deps.ts';
import { beginMandateCancellation } from '../../../services/payments/methods/mandates/cancel-mandate.ts';
import {
  beginMandateCharge,
  laterChargeDetails,
} from '../../../services/payments/methods/mandates/charge-mandate.ts';
import {
  addMandate,
  mandatePaymentDetails,
  preparedMandate,
} from '../../../services/payments/methods/mandates/request-mandate.ts';
import { paymentEvent } from '../../../services/payments/payment-event.ts';
import { type BegunOperation, firstCheckAt, runOperation } from '../../../services/payments/run-operation.ts';
import type { Shop } from '../shop.ts';

type RecurringPayment = Payment<'pix_recurring'>;

/** What a test can choose about a mandate. */
export interface WantedMandate extends Partial<AgreedTerms> {
  /** The amount of the first charge; with 0, only the mandate is requested (journey 2). */
  readonly amount_centavos?: number;
  readonly customerId?: string;
}

/** Requests a mandate from the acquirer, and returns the id of its payment. */
export async function requestMandate(shop: Shop, wanted: WantedMandate = {}): Promise<string> {
  const { amount_centavos = 0, customerId = await shop.customer(), ...terms } = wanted;
  const { deps } = shop.service;
  const merchant = await merchantOf(shop);
  const at = now(deps, merchant);
  const role = amount_centavos === 0 ? 'authorization' : 'first_charge';
  const details = mandatePaymentDetails(deps, merchant, role, at);
  const status = amount_centavos === 0 ? 'scheduled' : 'processing';
  const payment = mandatePayment(shop, merchant, { amount_centavos, customerId, details, status, at });
  const operation = operationOf(shop, payment, 'mandate');
  const agreed: AgreedTerms = {
    interval: 'monthly',
    firstChargeOn: merchantDay(at),
    recurringAmount_centavos: null,
    minAmount_centavos: null,
    allowsRetries: true,
    statement: null,
    ...terms,
  };
  const maker = await deps.db.transaction(merchant, async (tx) => {
    await place(shop, tx, merchant, payment, operation);
    const subscriptionId = await placeEndedSubscription(tx, merchant, customerId, at);
    await addMandate({ deps, tx, merchant }, payment, subscriptionId, agreed);
    return preparedMandate(details, agreed).take(tx);
  });
  const customer = { customerId, name: 'Maria Silva', document: null };
  const common = commonFields(merchant, payment, customer);
  await send(shop, merchant, { operation, command: maker.command(payment, common) });
  return payment.id;
}

/** A charge of an authorized mandate that is scheduled for a day, and not sent yet. Returns the id of its payment. */
export async function scheduleCharge(shop: Shop, mandatePaymentId: string, billingDate: string) {
  const { deps } = shop.service;
  const merchant = await merchantOf(shop);
  const at = now(deps, merchant);
  const mandate = await mandateOf(shop, mandatePaymentId);
  const { customer_id: customerId } = await shop.payment(mandatePaymentId);
  const details = laterChargeDetails(deps, merchant, mandate);
  const payment = mandatePayment(shop, merchant, {
    amount_centavos: 4_990,
    customerId,
    details,
    status: 'scheduled',
    billingDate,
    at,
  });
  await deps.db.transaction(merchant, async (tx) => {
    // An order begins with an operation, and a scheduled charge has none before it is sent.
    const operation = operationOf(shop, payment, 'mandate_charge');
    await place(shop, tx, merchant, payment, operation);
    await tx.execute(merchant, 'delete from payment_operations where {scope} and id = :id', {
      id: operation.id,
    });
  });
  return payment.id;
}

/** Sends a scheduled charge to the acquirer. */
export async function sendCharge(shop: Shop, paymentId: string): Promise<void> {
  const { deps } = shop.service;
  const merchant = await merchantOf(shop);
  const begun = await deps.db.transaction(merchant, async (tx) => {
    const payment = (await lockPayment(tx, merchant, paymentId)) as RecurringPayment;
    const customer = { customerId: payment.customerId, name: 'Maria Silva', document: null };
    return beginMandateCharge({ deps, tx, merchant }, payment, customer);
  });
  await send(shop, merchant, begun);
}

/** Ends the mandate of a payment at the acquirer. */
export async function cancelMandate(shop: Shop, mandatePaymentId: string): Promise<void> {
  const { deps } = shop.service;
  const merchant = await merchantOf(shop);
  const begun = await deps.db.transaction(merchant, async (tx) => {
    const payment = (await lockPayment(tx, merchant, mandatePaymentId)) as RecurringPayment;
    return (await beginMandateCancellation({ deps, tx, merchant }, payment))!;
  });
  await send(shop, merchant, begun);
}

/** The payer authorizes the mandate of a payment. */
export async function authorizeMandate(shop: Shop, paymentId: string): Promise<void> {
  const result = await shop.service.control.authorizeMandate(await decision(shop, paymentId));
  if (result.kind !== 'done') throw new Error(result.why);
}

/** The payer ends the mandate of a payment. */
export async function endMandateByPayer(shop: Shop, paymentId: string, reason: string | null = null) {
  const result = await shop.service.control.cancelMandate({ ...(await decision(shop, paymentId)), reason });
  if (result.kind !== 'done') throw new Error(result.why);
}

/** The mandate that was requested with a payment. */
export async function mandateOf(shop: Shop, paymentId: string): Promise<Mandate> {
  const merchant = await merchantOf(shop);
  const [row] = await shop.service.rows<{ id: string }>(
    'select id from mandates where merchant_id = :account and payment_id = :id',
    { account: shop.account, id: paymentId },
  );
  return (await findMandate(shop.service.deps.db, merchant, row!.id))!;
}

async function decision(shop: Shop, paymentId: string) {
  const occurredAt = now(shop.service.deps, await merchantOf(shop));
  return { account: shop.account, reference: await shop.reference(paymentId), occurredAt };
}

async function merchantOf({ service, onboarded }: Shop): Promise<Merchant> {
  return (await findMerchant(service.deps.db, onboarded.merchant))!;
}

function commonFields(
  { merchantId: account }: Merchant,
  { reference, createdAt: requestedAt, method, amount_centavos }: RecurringPayment,
  customer: { customerId: string; name: string; document: null },
) {
  return { reference, account, requestedAt, method, amount_centavos, customer };
}

interface NewPayment {
  readonly amount_centavos: number;
  readonly customerId: string;
  readonly details: PixRecurringDetails;
  readonly status: 'scheduled' | 'processing';
  readonly billingDate?: string | null;
  readonly at: Date;
}

function mandatePayment(
  { service: { deps } }: Shop,
  { slot }: Merchant,
  { status, at, billingDate = null, ...fields }: NewPayment,
): RecurringPayment {
  const payment = newPayment(
    { slot, at, random: deps.random },
    {
      ...fields,
      orderId: randomUUID(),
      orderCode: randomUUID(),
      subscriptionId: null,
      cycle: null,
      paymentLinkId: null,
      offerId: null,
      interest_centavos: 0,
      method: 'pix_recurring',
      currency: 'BRL',
      installments: 1,
      split: [],
      mcc: '5734',
      retryAttempts: 0,
      billingDate,
      metadata: {},
    },
  );
  return { ...payment, status, history: [{ status, at }] } as RecurringPayment;
}

function operationOf(
  { service: { deps } }: Shop,
  { id: paymentId, amount_centavos, reference, createdAt }: RecurringPayment,
  kind: 'mandate' | 'mandate_charge',
): PaymentOperation {
  return {
    id: uuidV7(createdAt.getTime(), deps.random),
    paymentId,
    refundId: null,
    kind,
    amount_centavos,
    reference,
    state: 'pending',
    refusalCode: null,
    attempts: 0,
    createdAt,
  };
}

/** A payment needs an owner: here an order, which the method does not have outside of tests. */
async function place(
  { service: { deps } }: Shop,
  tx: Parameters<typeof placeOrder>[0],
  merchant: Merchant,
  payment: RecurringPayment,
  operation: PaymentOperation,
): Promise<void> {
  const order = {
    id: payment.orderId!,
    code: payment.orderCode!,
    customerId: payment.customerId,
    mcc: payment.mcc,
    amount_centavos: 4_990,
    description: null,
    notificationUrl: null,
    items: [],
    metadata: {},
    buyer: null,
    createdAt: payment.createdAt,
  };
  const paymentAmount_centavos = payment.amount_centavos;
  await placeOrder(tx, merchant, {
    order,
    payment,
    operation: { ...operation, paymentAmount_centavos, checkAt: firstCheckAt(deps) },
    event: paymentEvent(deps, 'payment.created', payment, payment.createdAt),
  });
}

/** A mandate needs a subscription: here one that has ended and has no mandate, so nothing follows the mandate. */
async function placeEndedSubscription(
  tx: Parameters<typeof placeOrder>[0],
  merchant: Merchant,
  customer_id: string,
  at: Date,
): Promise<string> {
  const id = randomUUID();
  await tx.execute(
    merchant,
    `insert into subscriptions (slot, merchant_id, id, code, status, method, customer_id, mcc, installments, interval,
       ladder, schedule, start_at, trial_days, paid_cycles, credit_centavos, ended_at, created_at, updated_at)
     values (:slot, :merchant_id, :id, :id, 'ended', 'pix', :customer_id, '5734', 1, 'monthly',
       '[{"start": 1, "end": null, "amount_centavos": 4990}]', '{}', :at, 0, 0, 0, :at, :at, :at)`,
    { id, customer_id, at },
  );
  return id;
}

function send(shop: Shop, merchant: Merchant, begun: BegunOperation) {
  return runOperation(shop.service.deps, merchant, begun, returnResult);
}
