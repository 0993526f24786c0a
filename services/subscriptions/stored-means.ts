import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import { methodInput } from '../payments/methods/index.ts';
import { chargeMethod } from './methods/index.ts';
import type { SubscriptionPayment } from './new-subscription.ts';

/** The fields of a card in a request. Absent for other methods. */
interface CardFields {
  readonly id?: string;
  readonly statementDescriptor?: string;
}

/** What a subscription stores of the means of payment that a request names. */
export function meansOf(
  payment: SubscriptionPayment,
  { document, address }: PayingCustomer,
): Pick<Subscription, 'cardId' | 'payer'> {
  const { id } = methodInput(payment) as CardFields;
  return {
    cardId: id === undefined ? null : normalizeUuid(id),
    payer: chargeMethod(payment.method).needsPayer ? { document, address } : null,
  };
}

/** The text on the customer's card statement; null if the request has none. */
export function statementDescriptorOf(payment: SubscriptionPayment): string | null {
  return (methodInput(payment) as CardFields).statementDescriptor ?? null;
}
