import { AT_ONCE } from '../../ledger/receivables.ts';
import {
  MANDATE_REJECTIONS,
  mandateRejection,
  PIX_AUTOMATICO_REFUSALS,
  pixAutomaticoRefusal,
} from '../pix-automatico-reasons.ts';
import { cardRefusal, isCardRefusalCode } from '../refusal-reasons.ts';
import { isResultDue, nextInquiryAt, resultDueAt } from './mandate-inquiries.ts';
import type { MethodRules, NotAtCheckout } from './method.ts';

/**
 * What a payment has to do with its mandate.
 * - authorization: its QR code only asks for the mandate (journey 2). Its amount is 0.
 * - first_charge: the payer authorizes the mandate by paying it (journey 3).
 * - later_charge: it is charged by a mandate that is authorized.
 */
export type MandateRole = 'authorization' | 'first_charge' | 'later_charge';

/** The data of a payment by Pix Automático. */
export interface PixRecurringDetails {
  readonly mandateId: string;
  readonly role: MandateRole;
  /** The txid of a charge; null for an authorization. */
  readonly txid: string | null;
  /** Null until the acquirer has registered the mandate, and for a later charge. */
  readonly qrCode: string | null;
  /** The QR code as a PNG in a data URL. */
  readonly qrImage: string | null;
  /** Until when the QR code can be used; null for a later charge. */
  readonly expiresAt: Date | null;
  /** The id of the mandate in Pix (idRec); null until the payer has authorized it. */
  readonly chargeCode: string | null;
  /** The acquirer's own id; null until it has answered. */
  readonly acquirerReference: string | null;
  /** The id of the transfer; null until the charge is paid. */
  readonly endToEndId: string | null;
}

export const pixRecurring: MethodRules<'mandate', PixRecurringDetails> & NotAtCheckout = {
  kind: 'mandate',
  firstOperation: 'mandate',
  notifiedAs: 'pix_recurring',
  capturesOnApproval: () => false,
  expiresAt: ({ expiresAt }) => expiresAt,
  dueStep: ({ details }) => (createsMandate(details) ? 'expire' : 'inquire'),
  dueAfterRefusal({ details, dueAt, billingDate }, _refused, at) {
    if (createsMandate(details)) return dueAt;
    return isResultDue(billingDate!, at) ? nextInquiryAt(billingDate!, at) : resultDueAt(billingDate!);
  },
  paidBy: ({ role }) => (role === 'first_charge' ? 'settle_first' : 'settle_recurring'),
  mayBePaidLate: false,
  hasMandate: true,
  mayBeDisputed: true,
  awaitedCredential: () => null,
  chargedMeans: ({ mandateId }) => mandateId,
  statementDescriptor: () => null,
  refusalCodes(details) {
    const ofCharges = Object.keys(PIX_AUTOMATICO_REFUSALS);
    return createsMandate(details) ? [...MANDATE_REJECTIONS, ...ofCharges] : ofCharges;
  },
  refusal(code, details) {
    if (isAcquirersOwn(code)) return cardRefusal(code);
    const isOfCharge = !createsMandate(details) || Object.hasOwn(PIX_AUTOMATICO_REFUSALS, code);
    return isOfCharge ? pixAutomaticoRefusal(code) : mandateRejection(code);
  },
  transferId: ({ endToEndId }) => endToEndId,
  availableOn: AT_ONCE,
  receiptName: () => ({ pt: 'Pix Automático', en: 'Pix Automático' }),
  atCheckout: null,
  paidAt: () => null,
};

/** Codes of Pix have four characters, `AB10` or `DENC`. The acquirer has others, such as for a sealed reference. */
function isAcquirersOwn(code: string): boolean {
  return isCardRefusalCode(code) || !/^[A-Z0-9]{4}$/.test(code);
}

/** Whether the payment was created together with its mandate. */
export function createsMandate({ role }: Pick<PixRecurringDetails, 'role'>): boolean {
  return role !== 'later_charge';
}
