import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import type { Addresses, CheckoutMethodAnswer } from './method.ts';

export const bankSlip: CheckoutMethodAnswer<'bank_slip'> = {
  block: bankSlipBlock,
  buyerBlock: bankSlipBlock,
};

function bankSlipBlock(
  { hash, details }: Payment<'bank_slip'>,
  deps: Addresses,
): components['schemas']['PaymentBankSlip'] {
  const { digitableLine, barcode, dueDate } = details;
  return {
    digitable_line: digitableLine,
    barcode,
    due_at: dueDate,
    pdf_url: digitableLine === null ? null : `${deps.checkoutBaseUrl()}/bank-slips/${hash}.pdf`,
  };
}
