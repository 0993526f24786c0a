import { insertEvents } from '../../db/events/insert-events.ts';
import { insertPayment } from '../../db/payments/insert-payment.ts';
import { insertOperation } from '../../db/payments/payment-operations.ts';
import { mostInstallments } from '../../domain/installments.ts';
import { cutToFit, fitsAmount } from '../../domain/ledger/split.ts';
import { newPayment } from '../../domain/payments/new-payment.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { sharesOf } from '../../domain/payments/payment-ledger.ts';
import type { PaymentAction } from '../../domain/subscriptions/engine/change.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import type { TransactionContext } from '../deps.ts';
import { creationCommand, firstOperation } from '../payments/first-operation.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import { paymentEvent } from '../payments/payment-event.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { chargeMethod } from './methods/index.ts';

/** The charge of a billing cycle. */
export type CycleCharge = Extract<PaymentAction, { readonly kind: 'charge' }>;

/** A charge of a subscription. `cycle` is null if it charges no cycle. */
export type Charge = Pick<CycleCharge, 'amount_centavos' | 'dueOn'> & { readonly cycle: number | null };

/** The means of payment of a charge, which was read before the transaction. */
export interface ChargeMeans {
  readonly prepared: PreparedPayment;
  readonly customer: PayingCustomer;
}

/** The subscription that is charged, and the merchant's time. */
export interface ChargeContext extends Pick<TransactionContext, 'deps' | 'merchant'> {
  readonly subscription: Subscription;
  readonly at: Date;
}

/** The payment of a charge, before it is sent to the acquirer. */
export function cyclePayment(
  { deps, merchant, subscription, at }: ChargeContext,
  { cycle, amount_centavos, dueOn }: Charge,
  { prepared, customer }: Pick<ChargeMeans, 'customer'> & { prepared: Pick<PreparedPayment, 'details'> },
): Payment {
  const { billing, split } = subscription;
  const { hasInstallments } = chargeMethod(billing.method);
  const lines = cycle === null ? percentagesOf(split) : fitting(split, amount_centavos);
  return newPayment(
    { slot: merchant.slot, at, random: deps.random },
    {
      orderId: null,
      orderCode: null,
      paymentLinkId: subscription.paymentLinkId,
      offerId: (billing.openCycle?.plan ?? billing.plan).offerId,
      subscriptionId: subscription.id,
      cycle,
      customerId: subscription.customerId,
      method: billing.method,
      amount_centavos,
      currency: subscription.currency,
      installments: hasInstallments
        ? Math.min(subscription.installments, mostInstallments(amount_centavos))
        : 1,
      interest_centavos: 0,
      split: sharesOf(amount_centavos, lines),
      mcc: subscription.mcc,
      details: prepared.details(at, customer, dueOn),
      retryAttempts: cycle === null ? 0 : (billing.openCycle?.failures ?? 0),
      billingDate: dueOn,
      metadata: {},
    },
  );
}

type Lines = Subscription['split'];

/** Fixed shares are of a cycle. A charge of no cycle, the difference of an upgrade, has none. */
function percentagesOf(split: Lines): Lines {
  return split.filter(({ type }) => type === 'percentage');
}

function fitting(split: Lines, amount_centavos: number): Lines {
  return fitsAmount(split, amount_centavos) ? split : cutToFit(split, amount_centavos);
}

/** Writes the payment of a charge, its pending operation and the event `payment.created`. The invoice exists. */
export async function addCyclePayment(
  context: TransactionContext,
  payment: Payment,
  { prepared, customer }: ChargeMeans,
): Promise<BegunOperation> {
  const { deps, tx, merchant } = context;
  const first = firstOperation(deps, payment);
  const event = paymentEvent(deps, 'payment.created', payment, payment.createdAt);
  // Sent together: the payment first, because the operation refers to it.
  const [, operation] = await Promise.all([
    insertPayment(tx, merchant, payment),
    insertOperation(tx, merchant, first),
    insertEvents(tx, merchant, [event]),
  ]);
  if (operation === undefined)
    throw new Error(`The payment ${payment.id} has an operation before it exists.`);
  const maker = await prepared.take(tx);
  return { operation, command: creationCommand(merchant, payment, customer, maker) };
}
