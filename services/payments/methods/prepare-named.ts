import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { Deps } from '../../deps.ts';
import { invalid } from '../../refusal.ts';
import { Unreadable } from '../../vault/vault.ts';
import { methodModule } from './index.ts';
import type { PreparedPayment } from './method.ts';

const CANNOT_BE_READ = 'The card cannot be charged any more. Store it again, or use another one.';

/**
 * Reads the means of payment that a request names. Refusals: those of the method, and a stored card that cannot be read any
 * more.
 */
export async function prepareNamed<M extends PaymentMethod>(
  deps: Deps,
  merchant: Merchant,
  method: M,
  input: object,
): Promise<PreparedPayment<M>> {
  const { inputField, prepare } = methodModule(method);
  try {
    return await prepare(deps, merchant, input);
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause;
    deps.log.error({ merchant_id: merchant.merchantId, err: cause }, 'a means of payment cannot be read');
    throw invalid({ [`payment.${inputField}.id`]: CANNOT_BE_READ });
  }
}
