import { MINUTE_MS } from '../../durations.ts';
import { AT_ONCE } from '../../ledger/receivables.ts';
import { CARD_REFUSAL_CODES, cardRefusal } from '../refusal-reasons.ts';
import { stepOfCharge } from './charge-step.ts';
import type { MethodRules } from './method.ts';

/** The data of a Pix payment. */
export interface PixDetails {
  readonly txid: string;
  /** Null until the acquirer has registered the charge. */
  readonly qrCode: string | null;
  /** The QR code as a PNG in a data URL. */
  readonly qrImage: string | null;
  readonly expiresAt: Date;
  /** The id of the transfer; null until the charge is paid. */
  readonly endToEndId: string | null;
}

export const pix: MethodRules<'pix', PixDetails> = {
  kind: 'pix',
  firstOperation: 'pix_charge',
  notifiedAs: 'pix',
  capturesOnApproval: () => false,
  expiresAt: ({ expiresAt }) => expiresAt,
  dueStep: stepOfCharge,
  dueAfterRefusal: ({ details }) => details.expiresAt,
  paidBy: () => 'settle',
  mayBePaidLate: false,
  hasMandate: false,
  mayBeDisputed: true,
  awaitedCredential: () => null,
  chargedMeans: () => null,
  statementDescriptor: () => null,
  refusalCodes: () => CARD_REFUSAL_CODES,
  refusal: cardRefusal,
  transferId: ({ endToEndId }) => endToEndId,
  availableOn: AT_ONCE,
  receiptName: () => ({ pt: 'Pix', en: 'Pix' }),
  atCheckout: {
    needsAddress: false,
    startsSubscriptions: false,
    hasInstallments: false,
    canCaptureLater: false,
    input: ({ pixExpirationMinutes }, at) => ({
      expiresAt: new Date(at.getTime() + pixExpirationMinutes * MINUTE_MS).toISOString(),
    }),
  },
  paidAt: () => null,
};
