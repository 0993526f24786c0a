import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { CheckoutMethod } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import type { Deps } from '../../../services/deps.ts';

type Schemas = components['schemas'];
export type Addresses = Pick<Deps, 'checkoutBaseUrl'>;

/** The object in an answer with the data of the payment's method. Its field has the name of the method. */
export interface MethodAnswer<M extends PaymentMethod> {
  /** For the merchant. */
  block(payment: Payment<M>, deps: Addresses): NonNullable<Schemas['Payment'][M]>;
}

/** The same for a method of the checkout pages. */
export interface CheckoutMethodAnswer<M extends CheckoutMethod> extends MethodAnswer<M> {
  /** For the buyer, who sees no data of the stored customer. */
  buyerBlock(payment: Payment<M>, deps: Addresses, at: Date): NonNullable<Schemas['CheckoutPayment'][M]>;
}
