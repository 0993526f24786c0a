import type { BankSlipDetails } from '../../../domain/payments/methods/bank-slip.ts';
import type { components } from '../../../generated/types.ts';

export function bankSlipBlock(slip: BankSlipDetails): components['schemas']['PaymentBankSlip'] {
  return { digitable_line: slip.digitableLine, barcode: slip.barcode, due_at: slip.dueDate };
}
