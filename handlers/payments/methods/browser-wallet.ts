import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';

export function browserWalletBlock({
  details: { wallet, brand, last4 },
}: Payment<'browser_wallet'>): components['schemas']['PaymentBrowserWallet'] {
  return { wallet, brand, last_4: last4 };
}
