import type { Customer } from '../../domain/customers/customer.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Subscription, SubscriptionPayer } from '../../domain/subscriptions/subscription.ts';
import { completedCustomer, type PayingCustomer, typedCustomer } from '../customers/resolve-customer.ts';
import type { Deps } from '../deps.ts';
import { methodInput } from '../payments/methods/index.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import { prepareNamed } from '../payments/methods/prepare-named.ts';
import { chargeMethod } from './methods/index.ts';
import type { StoredMeans, SubscriptionPayment } from './new-subscription.ts';

/** The fields of a card in a request. Absent for other methods. */
interface CardFields {
  readonly id?: string;
  readonly statementDescriptor?: string;
  readonly processingModel?: string;
}

/**
 * What a subscription stores of the means of payment that a request names. `prepared` is null for a method with a
 * mandate.
 */
export function meansOf(payment: SubscriptionPayment, prepared: PreparedPayment | null): StoredMeans {
  const { id, statementDescriptor, processingModel } = methodInput(payment) as CardFields;
  return {
    cardId: id === undefined ? null : normalizeUuid(id),
    walletCredentialId: prepared?.walletCredentialId ?? null,
    statementDescriptor: statementDescriptor ?? null,
    processingModel: processingModel ?? null,
  };
}

/**
 * What a subscription stores of who pays by its present method; null if neither the request nor the stored customer
 * says it, and for a subscription with a buyer, who is stored as typed.
 */
export function storedPayer(
  { document, address }: PayingCustomer,
  { buyer }: Pick<Subscription, 'buyer'>,
): SubscriptionPayer | null {
  return buyer !== null || (document === null && address === null) ? null : { document, address };
}

/**
 * Who pays the later charges of a subscription: its customer, completed by the payer that the subscription stores,
 * because the data of a customer can be removed. If a buyer has started it at a page, the buyer as typed there: the
 * customer with the same e-mail can be someone else, whose data the buyer must not see.
 */
export function laterPayer(
  customer: Customer,
  { buyer, payer }: Pick<Subscription, 'buyer' | 'payer'>,
): PayingCustomer {
  if (buyer !== null) return typedCustomer(customer.id, buyer);
  return completedCustomer(customer, { document: null, address: null, ...payer });
}

/**
 * Reads the means of payment that a request names. `isChargedNow`: a cycle is charged at once. Refuses fields of the
 * request.
 */
export function prepareRequested(
  deps: Deps,
  merchant: Merchant,
  { method }: SubscriptionPayment,
  { input, isChargedNow }: { readonly input: object; readonly isChargedNow: boolean },
): Promise<PreparedPayment> {
  const first = chargeMethod(method).firstInput?.(input, isChargedNow) ?? input;
  return prepareNamed(deps, merchant, method, first);
}
