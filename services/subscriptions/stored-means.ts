import { normalizeUuid } from '../../domain/identifiers.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import { methodInput } from '../payments/methods/index.ts';
import { chargeMethod } from './methods/index.ts';
import type { StoredMeans, SubscriptionPayment } from './new-subscription.ts';

/** The fields of a card in a request. Absent for other methods. */
interface CardFields {
  readonly id?: string;
  readonly statementDescriptor?: string;
}

/** What a subscription stores of the means of payment that a request names. */
export function meansOf(payment: SubscriptionPayment, { document, address }: PayingCustomer): StoredMeans {
  const { id, statementDescriptor } = methodInput(payment) as CardFields;
  return {
    cardId: id === undefined ? null : normalizeUuid(id),
    payer: chargeMethod(payment.method).needsPayer ? { document, address } : null,
    statementDescriptor: statementDescriptor ?? null,
  };
}
