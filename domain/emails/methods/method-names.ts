import type { Language } from '../../language.ts';
import type { MethodDetails, SupportedMethod, WithMethod } from '../../payments/methods/index.ts';

type MethodName<M extends SupportedMethod> = (
  details: MethodDetails[M],
) => Readonly<Record<Language, string>>;

const BRANDS: Readonly<Record<MethodDetails['credit_card']['brand'], string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  amex: 'American Express',
};

const cardText = ({ brand, last4 }: Pick<MethodDetails['credit_card'], 'brand' | 'last4'>) =>
  `${BRANDS[brand]} •••• ${last4}`;

const NAMES: { readonly [M in SupportedMethod]: MethodName<M> } = {
  credit_card: (card) => ({
    pt: `Cartão de crédito ${cardText(card)}`,
    en: `Credit card ${cardText(card)}`,
  }),
  debit_card: (card) => ({ pt: `Cartão de débito ${cardText(card)}`, en: `Debit card ${cardText(card)}` }),
  browser_wallet: (card) => ({ pt: `Carteira digital ${cardText(card)}`, en: `Wallet ${cardText(card)}` }),
  pix: () => ({ pt: 'Pix', en: 'Pix' }),
  pix_recurring: () => ({ pt: 'Pix Automático', en: 'Pix Automático' }),
  bank_slip: () => ({ pt: 'Boleto', en: 'Boleto' }),
};

/** How a buyer's receipt names what the buyer paid with. */
export function methodName<M extends SupportedMethod>(payment: WithMethod<M>, language: Language): string {
  return NAMES[payment.method](payment.details)[language];
}
