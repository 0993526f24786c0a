import { bankSlip } from './bank-slip.ts';
import { card } from './card.ts';
import type { CheckoutMethod, MethodPage } from './method.ts';
import { pix } from './pix.ts';

const METHODS: Readonly<Record<CheckoutMethod, MethodPage>> = {
  pix,
  credit_card: card,
  debit_card: card,
  bank_slip: bankSlip,
};

export function methodPage(method: CheckoutMethod): MethodPage {
  return METHODS[method];
}
