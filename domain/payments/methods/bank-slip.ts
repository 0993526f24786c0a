import { addDays } from '../../business-days.ts';
import type { Address } from '../../contact.ts';
import { NEXT_BUSINESS_DAY } from '../../ledger/receivables.ts';
import { merchantDay } from '../../local-time.ts';
import { CARD_REFUSAL_CODES, cardRefusal } from '../refusal-reasons.ts';
import { stepOfCharge } from './charge-step.ts';
import type { MethodRules } from './method.ts';

/** What a boleto payment stores. */
export interface BankSlipDetails {
  /** `YYYY-MM-DD`. */
  readonly dueDate: string;
  /** When it can no longer be paid in time: the end of the next business day after the due date. */
  readonly expiresAt: Date;
  /** 44 digits; null until the acquirer has registered the boleto. */
  readonly barcode: string | null;
  /** The 47 digits that a person types; null as long as the barcode. */
  readonly digitableLine: string | null;
  /** The payer as registered. A later change of the customer does not change the boleto. */
  readonly payer: BankSlipPayer;
  /** When it was paid, by the acquirer's clock. Absent before, and if an earlier version received the report. */
  readonly paidAt?: Date;
}

export interface BankSlipPayer {
  readonly name: string;
  /** CPF or CNPJ. */
  readonly document: string;
  readonly address: Address;
}

export const bankSlip: MethodRules<'bank_slip', BankSlipDetails> = {
  kind: 'bank_slip',
  firstOperation: 'bank_slip_charge',
  notifiedAs: 'bank_slip',
  capturesOnApproval: () => false,
  expiresAt: ({ expiresAt }) => expiresAt,
  dueStep: stepOfCharge,
  dueAfterRefusal: ({ details }) => details.expiresAt,
  paidBy: () => 'settle',
  mayBePaidLate: true,
  hasMandate: false,
  mayBeDisputed: false,
  awaitedCredential: () => null,
  chargedMeans: () => null,
  statementDescriptor: () => null,
  refusalCodes: () => CARD_REFUSAL_CODES,
  refusal: cardRefusal,
  transferId: () => null,
  availableOn: NEXT_BUSINESS_DAY,
  receiptName: () => ({ pt: 'Boleto', en: 'Boleto' }),
  atCheckout: {
    needsAddress: true,
    startsSubscriptions: false,
    hasInstallments: false,
    canCaptureLater: false,
    input: ({ boletoExpirationDays }, at) => ({ dueAt: addDays(merchantDay(at), boletoExpirationDays) }),
  },
  paidAt: ({ paidAt }) => paidAt ?? null,
};
