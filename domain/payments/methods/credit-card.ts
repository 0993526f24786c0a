import type { CardBrand } from '../../cards/card-number.ts';
import { BY_INSTALLMENT } from '../../ledger/receivables.ts';
import { stepAfterRefusal, stepAt } from '../authorization.ts';
import { CARD_REFUSAL_CODES, cardRefusal } from '../refusal-reasons.ts';
import { cardReceiptName } from './card-name.ts';
import type { MethodRules } from './method.ts';

/** The data of a card payment. */
export interface CardDetails {
  readonly cardId: string;
  readonly brand: CardBrand;
  readonly first6: string;
  readonly last4: string;
  readonly statementDescriptor: string | null;
  /** How the card is used, for the acquirer. Absent if the merchant did not say. */
  readonly processingModel?: string;
  /** True: the approval only reserves the amount. */
  readonly manualCapture: boolean;
  /** Null until the acquirer has approved the authorization. */
  readonly authorizationCode: string | null;
}

export const creditCard: MethodRules<'card', CardDetails> = {
  kind: 'card',
  firstOperation: 'authorize',
  notifiedAs: 'authorization',
  capturesOnApproval: ({ manualCapture }) => !manualCapture,
  expiresAt: () => null,
  dueStep: stepAt,
  dueAfterRefusal: stepAfterRefusal,
  paidBy: () => 'settle',
  mayBePaidLate: false,
  hasMandate: false,
  mayBeDisputed: true,
  awaitedCredential: () => null,
  chargedMeans: ({ cardId }) => cardId,
  statementDescriptor: ({ statementDescriptor }) => statementDescriptor,
  refusalCodes: () => CARD_REFUSAL_CODES,
  refusal: cardRefusal,
  transferId: () => null,
  availableOn: BY_INSTALLMENT,
  receiptName: (card) => cardReceiptName({ pt: 'Cartão de crédito', en: 'Credit card' }, card),
  atCheckout: {
    needsAddress: false,
    startsSubscriptions: true,
    hasInstallments: true,
    canCaptureLater: true,
    input: () => ({}),
  },
  paidAt: () => null,
};
