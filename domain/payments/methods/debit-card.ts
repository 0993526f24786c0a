import { NEXT_BUSINESS_DAY } from '../../ledger/receivables.ts';
import { cardReceiptName } from './card-name.ts';
import { type CardDetails, creditCard } from './credit-card.ts';
import type { MethodRules } from './method.ts';

/** A debit card is charged like a credit card, always at once and in one payment. */
export const debitCard: MethodRules<'card', CardDetails> = {
  ...creditCard,
  availableOn: NEXT_BUSINESS_DAY,
  receiptName: (card) => cardReceiptName({ pt: 'Cartão de débito', en: 'Debit card' }, card),
  atCheckout: {
    needsAddress: false,
    startsSubscriptions: false,
    hasInstallments: false,
    canCaptureLater: false,
    input: () => ({}),
  },
};
