import type { Merchant } from '../../domain/merchants/merchant.ts';
import { mccDescription } from '../../domain/payments/mcc.ts';
import type { components } from '../../generated/types.ts';

/** An account as in the contract. */
export function merchantAnswer(merchant: Merchant): components['schemas']['Merchant'] {
  return {
    id: merchant.merchantId,
    name: merchant.name,
    legal_name: merchant.legalName,
    status: merchant.status,
    merchant_codes: merchant.mccs.map((code) => ({ code, description: mccDescription(code) })),
    payment_methods: [...merchant.paymentMethods],
    currencies: [...merchant.currencies] as components['schemas']['Currency'][],
  };
}
