import type { Merchant } from '../../merchants/merchant.ts';

/** Whether the account can take wallet payments now. */
export function acceptsWallets({ status, paymentMethods }: Merchant): boolean {
  return status === 'approved' && paymentMethods.includes('browser_wallet');
}
