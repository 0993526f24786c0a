import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
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
export function meansOf(
  payment: SubscriptionPayment,
  { document, address }: PayingCustomer,
  prepared: PreparedPayment | null,
): StoredMeans {
  const { id, statementDescriptor, processingModel } = methodInput(payment) as CardFields;
  return {
    cardId: id === undefined ? null : normalizeUuid(id),
    walletCredentialId: prepared?.walletCredentialId ?? null,
    payer: chargeMethod(payment.method).needsPayer ? { document, address } : null,
    statementDescriptor: statementDescriptor ?? null,
    processingModel: processingModel ?? null,
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
