import { bankSlip } from './bank-slip.ts';
import { card } from './card.ts';
import type { CheckoutMethod, MethodPage } from './method.ts';
import type { NeedsByMethod } from './needs.ts';
import { pix } from './pix.ts';

const METHODS: Readonly<Record<CheckoutMethod, MethodPage>> = {
  pix,
  credit_card: card({ pt: 'Cartão de crédito', en: 'Credit card' }, { installments: true }),
  debit_card: card({ pt: 'Cartão de débito', en: 'Debit card' }, { installments: false }),
  bank_slip: bankSlip,
};

/** What each method needs in the form. */
export const NEEDS: NeedsByMethod = Object.fromEntries(
  Object.entries(METHODS).map(([method, { needs }]) => [method, needs]),
);

export function methodPage(method: CheckoutMethod): MethodPage {
  return METHODS[method];
}
