import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import type { Deps } from '../../../services/deps.ts';

export function bankSlipBlock(
  { hash, details }: Payment<'bank_slip'>,
  deps: Pick<Deps, 'checkoutBaseUrl'>,
): components['schemas']['PaymentBankSlip'] {
  const { digitableLine, barcode, dueDate } = details;
  return {
    digitable_line: digitableLine,
    barcode,
    due_at: dueDate,
    pdf_url: digitableLine === null ? null : `${deps.checkoutBaseUrl()}/bank-slips/${hash}.pdf`,
  };
}
