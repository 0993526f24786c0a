import type { CardBrand } from '../../cards/card-number.ts';
import { BY_INSTALLMENT } from '../../ledger/receivables.ts';
import { stepAfterRefusal, stepAt } from '../authorization.ts';
import { CARD_REFUSAL_CODES, cardRefusal } from '../refusal-reasons.ts';
import { cardReceiptName } from './card-name.ts';
import type { MethodRules, NotAtCheckout } from './method.ts';

/** The data of a payment by a wallet. */
export interface WalletDetails {
  /** The name of the wallet in the contract. */
  readonly wallet: string;
  readonly brand: CardBrand;
  readonly last4: string;
  readonly statementDescriptor: string | null;
  /** True: the approval only reserves the amount. */
  readonly manualCapture: boolean;
  /** With `manualCapture`: hours until it is captured automatically. Absent if the merchant captures it. */
  readonly captureDelay_hours?: number;
  /** The stored credential of the card, for the charges of a subscription; absent for an order. */
  readonly credentialId?: string;
  /** Present if the wallet's token is charged, so that only an approval brings the credential. */
  readonly storesCredential?: true;
  /** Null until the acquirer has approved the authorization. */
  readonly authorizationCode: string | null;
}

export const browserWallet: MethodRules<'wallet', WalletDetails> & NotAtCheckout = {
  kind: 'wallet',
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
  awaitedCredential: ({ credentialId, storesCredential }) =>
    storesCredential === true ? (credentialId ?? null) : null,
  chargedMeans: ({ credentialId = null }) => credentialId,
  statementDescriptor: ({ statementDescriptor }) => statementDescriptor,
  refusalCodes: () => CARD_REFUSAL_CODES,
  refusal: cardRefusal,
  transferId: () => null,
  availableOn: BY_INSTALLMENT,
  receiptName: (card) => cardReceiptName({ pt: 'Carteira digital', en: 'Wallet' }, card),
  atCheckout: null,
  paidAt: () => null,
};
