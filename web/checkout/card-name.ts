import type { components } from '../../generated/types.ts';

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  amex: 'American Express',
};

/** A card as pages show it: its brand and its last four digits. */
export function cardName({
  brand,
  last_4,
}: Pick<components['schemas']['CheckoutPaymentCard'], 'brand' | 'last_4'>): string {
  return `${BRANDS[brand] ?? brand} ••••\u00a0${last_4}`;
}
