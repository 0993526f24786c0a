import { resultDueAt } from '../../../domain/payments/methods/mandate-inquiries.ts';
import type { PixRecurringDetails } from '../../../domain/payments/methods/pix-recurring.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { mayMove } from '../../../domain/payments/payment-moves.ts';
import type { ApprovalDetails } from '../../../gateway/acquirer.ts';
import { addMove } from '../add-move.ts';
import { pixQr } from '../pix-qr.ts';
import type { PaymentMethodModule } from './method.ts';

/** What a merchant can choose about a mandate. Amounts are centavos. */
export interface MandateInput {
  readonly recurringStatement?: string;
  readonly recurringAmount?: number;
  readonly minAmount?: number;
  readonly retryPolicy?: boolean;
}

/** The fields of a request with the amounts of a mandate. */
export const MANDATE_AMOUNT_FIELDS = {
  recurringAmount_centavos: 'payment.pixRecurring.recurringAmount',
  minAmount_centavos: 'payment.pixRecurring.minAmount',
} as const;

export const pixRecurring: PaymentMethodModule<'pix_recurring', MandateInput> = {
  check() {},
  async prepare() {
    throw new Error('A charge by Pix Automático needs the mandate of a subscription.');
  },
  async findViolations() {},

  contradiction: () => null,
  movesOnApproval(payment, approval) {
    const method = missingDetails(payment, approval);
    const dueAt = payment.details.expiresAt;
    if (payment.details.role === 'first_charge' && mayMove(payment, 'await_payment')) {
      return [{ move: 'await_payment', details: { method, dueAt } }];
    }
    if (payment.details.role === 'later_charge') {
      // The cancellation of one that was withdrawn meanwhile is due earlier.
      const resultDue = payment.dueAt ?? resultDueAt(payment.billingDate!);
      return [{ move: 'add_details', details: { method, dueAt: resultDue } }];
    }
    const isWaitingForPayer = payment.details.role === 'authorization' && payment.status === 'scheduled';
    return [{ move: addMove(payment, method), details: { method, ...(isWaitingForPayer && { dueAt }) } }];
  },
  async recordApproval() {},
  missingDetails,
  transferDetails: ({ endToEndId }) => ({ endToEndId }),
};

function missingDetails(
  payment: Payment<'pix_recurring'>,
  approval: ApprovalDetails,
): Partial<PixRecurringDetails> {
  const { qrCode, acquirerReference } = payment.details;
  const { acquirerReference: named } = approval;
  return {
    ...(qrCode === null && pixQr({ ...payment, amount_centavos: null }, approval)),
    ...(acquirerReference === null && named !== undefined && { acquirerReference: named }),
  };
}
