import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { CardMethod } from '../../../domain/payments/methods/index.ts';
import type { Deps } from '../../deps.ts';
import { invalid, type Refusal } from '../../refusal.ts';
import { Unreadable } from '../../vault/vault.ts';
import { methodModule } from './index.ts';
import { inputField, type PreparedPayment } from './method.ts';

const CANNOT_BE_READ = 'The card cannot be charged any more. Store it again, or use another one.';

/**
 * Reads the means of payment that a request names. Refusals: those of the method, and a stored card that cannot be read
 * any more.
 */
export async function prepareNamed<M extends PaymentMethod>(
  deps: Deps,
  merchant: Merchant,
  method: M,
  input: object,
): Promise<PreparedPayment<M>> {
  const module = methodModule(method);
  try {
    return await module.prepare(deps, merchant, input);
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause;
    deps.log.error({ merchant_id: merchant.merchantId, err: cause }, 'a means of payment cannot be read');
    // Only a stored card is named by a request.
    throw unreadableCard(method as CardMethod);
  }
}

function unreadableCard(method: CardMethod): Refusal {
  return invalid({ [`payment.${inputField(method)}.id` as const]: CANNOT_BE_READ });
}
