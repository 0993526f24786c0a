import type { Customer } from '../../domain/customers/customer.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Subscription, SubscriptionPayer } from '../../domain/subscriptions/subscription.ts';
import {
  completedCustomer,
  NOTHING_SENT,
  type PayingCustomer,
  payingCustomer,
  typedCustomer,
} from '../customers/resolve-customer.ts';
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

/** What a subscription stores of what its request said of the payer; null if the stored customer says it all. */
export function storedPayer({ sent }: PayingCustomer): SubscriptionPayer | null {
  return sent.document === null && sent.address === null ? null : sent;
}

/**
 * Who pays the later charges of a subscription: its customer, completed by what its request said. If the data of the
 * customer were typed at a page, perhaps by another buyer with the same e-mail, the buyer who started it.
 */
export function laterPayer(
  customer: Customer,
  { buyer, payer }: Pick<Subscription, 'buyer' | 'payer'>,
): PayingCustomer {
  if (buyer === null) return completedCustomer(customer, { ...NOTHING_SENT, ...payer });
  return customer.isTypedByBuyer ? typedCustomer(customer.id, buyer) : payingCustomer(customer, buyer);
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
