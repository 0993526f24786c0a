import type { CardBrand } from '../../cards/card-number.ts';
import type { Language } from '../../language.ts';

const BRANDS: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  amex: 'American Express',
};

interface ShownCard {
  readonly brand: CardBrand;
  readonly last4: string;
}

/** The name of a card on a receipt: `Credit card Visa •••• 4242`. */
export function cardReceiptName(
  kind: Readonly<Record<Language, string>>,
  { brand, last4 }: ShownCard,
): Readonly<Record<Language, string>> {
  const card = `${BRANDS[brand]} •••• ${last4}`;
  return { pt: `${kind.pt} ${card}`, en: `${kind.en} ${card}` };
}
