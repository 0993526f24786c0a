import type { SupportedMethod } from '../../../domain/payments/methods.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import { creditCardBlock } from './credit-card.ts';
import { pixBlock } from './pix.ts';

type PaymentAnswer = components['schemas']['Payment'];

/** What an answer tells about a payment's method, in the block that has the name of the method. */
const BLOCKS: { readonly [M in SupportedMethod]: (payment: Payment) => NonNullable<PaymentAnswer[M]> } = {
  credit_card: creditCardBlock,
  pix: pixBlock,
};

/** The block of the payment's method, by its name. */
export function methodBlock(payment: Payment): Pick<PaymentAnswer, SupportedMethod> {
  return { [payment.method]: BLOCKS[payment.method](payment) };
}
