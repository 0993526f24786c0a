import type { MethodDetails, SupportedMethod, WithMethod } from '../../../domain/payments/methods/index.ts';
import type { components } from '../../../generated/types.ts';
import { bankSlipBlock } from './bank-slip.ts';
import { creditCardBlock } from './credit-card.ts';
import { pixBlock } from './pix.ts';

type PaymentAnswer = components['schemas']['Payment'];

/** The object in an answer with the data of the payment's method. Its field has the name of the method. */
const BLOCKS: {
  readonly [M in SupportedMethod]: (details: MethodDetails[M]) => NonNullable<PaymentAnswer[M]>;
} = {
  credit_card: creditCardBlock,
  debit_card: creditCardBlock,
  pix: pixBlock,
  bank_slip: bankSlipBlock,
};

/** The object of the payment's method, under its name. */
export function methodBlock<M extends SupportedMethod>({
  method,
  details,
}: WithMethod<M>): Pick<PaymentAnswer, SupportedMethod> {
  return { [method]: BLOCKS[method](details) };
}
