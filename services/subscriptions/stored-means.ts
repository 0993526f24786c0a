import type { Customer } from '../../domain/customers/customer.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { BillingMethod } from '../../domain/subscriptions/methods/names.ts';
import type { Subscription, SubscriptionPayer } from '../../domain/subscriptions/subscription.ts';
import { type PayingCustomer, payingCustomer } from '../customers/resolve-customer.ts';
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

/** What a subscription stores of its payer for its charges by a method. Null if they name none, or nothing is known. */
export function storedPayer(
  method: BillingMethod,
  { document, address }: PayingCustomer,
): SubscriptionPayer | null {
  const isKnown = document !== null || address !== null;
  return chargeMethod(method).needsPayer && isKnown ? { document, address } : null;
}

/** Who pays the later charges of a subscription: its customer, completed by what it stores. */
export function laterPayer(customer: Customer, { payer }: Pick<Subscription, 'payer'>): PayingCustomer {
  const paying = payingCustomer(customer);
  return {
    ...paying,
    document: paying.document ?? payer?.document ?? null,
    address: paying.address ?? payer?.address ?? null,
  };
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
