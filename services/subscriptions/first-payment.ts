import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import { firstChargeDate } from '../../domain/subscriptions/mandate-terms.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import type { Deps, TransactionContext } from '../deps.ts';
import { methodInput } from '../payments/methods/index.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import type { MandateInput } from '../payments/methods/pix-recurring.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { addCyclePayment, cyclePayment } from './cycle-payment.ts';
import { addMandateRequest, newMandateRequest, requestingPayment } from './mandate-request.ts';
import type { SubscriptionPayment } from './new-subscription.ts';

/** The payment that a new subscription begins with. */
export interface FirstPayment {
  /** The mandate that it requests; null if the method has none. */
  readonly mandateId: string | null;
  /** Null if nothing is charged now. */
  of(created: Subscription): Payment | null;
  /** Writes the payment and its pending operation. The subscription exists. */
  add(context: TransactionContext, payment: Payment): Promise<BegunOperation>;
}

/** What a first payment is made from. */
export interface FirstPaymentSource {
  readonly change: BillingChange;
  readonly means: SubscriptionPayment;
  /** Null for a method with a mandate. */
  readonly prepared: PreparedPayment | null;
  readonly customer: PayingCustomer;
  /** Merchant's time. */
  readonly at: Date;
}

/**
 * The charge of the first cycle, if it is made now. A method with a mandate always has a first payment: if nothing is
 * charged now, a payment of 0 requests the mandate.
 */
export function firstPayment(
  deps: Deps,
  merchant: Merchant,
  { change: { billing, payment: action }, means, prepared, customer, at }: FirstPaymentSource,
): FirstPayment {
  const charge = action?.kind === 'charge' ? action : null;
  if (prepared !== null) {
    const chargeMeans = { prepared, customer };
    return {
      mandateId: null,
      of: (subscription) => charge && cyclePayment({ deps, merchant, subscription, at }, charge, chargeMeans),
      add: (context, payment) => addCyclePayment(context, payment, chargeMeans),
    };
  }
  const request = newMandateRequest(deps, merchant, billing.mandate!, {
    charge,
    firstChargeOn: firstChargeDate(billing, charge === null ? 1 : 2),
    statement: (methodInput(means) as MandateInput).recurringStatement,
    at,
  });
  return {
    mandateId: request.details.mandateId,
    of: (subscription) => requestingPayment({ deps, merchant, subscription, at }, request, customer),
    add: (context, payment) => addMandateRequest(context, payment, request, customer),
  };
}
