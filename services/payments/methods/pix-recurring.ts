import type { PixRecurringDetails } from '../../../domain/payments/methods/pix-recurring.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { mayMove } from '../../../domain/payments/payment-moves.ts';
import type { ApprovalDetails } from '../../../gateway/acquirer.ts';
import { pixQr } from '../pix-qr.ts';
import type { PaymentMethodModule } from './method.ts';

export const pixRecurring: PaymentMethodModule<'pix_recurring', object> = {
  inputField: 'pixRecurring',
  check() {},
  async prepare() {
    throw new Error('The contract does not offer Pix Automático for orders.');
  },
  async findViolations() {},

  contradiction: () => null,
  movesOnApproval(payment, approval) {
    const method = missingDetails(payment, approval);
    const dueAt = payment.details.expiresAt;
    if (payment.details.role === 'first_charge' && mayMove(payment, 'await_payment')) {
      return [{ move: 'await_payment', details: { method, dueAt } }];
    }
    const isWaitingForPayer = payment.details.role === 'authorization' && payment.status === 'scheduled';
    return [{ move: 'add_details', details: { method, ...(isWaitingForPayer && { dueAt }) } }];
  },
  async recordApproval() {},
  missingDetails,
  transferDetails: (endToEndId) => ({ endToEndId }),
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
