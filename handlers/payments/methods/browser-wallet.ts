import type { MethodAnswer } from './method.ts';

export const browserWallet: MethodAnswer<'browser_wallet'> = {
  block: ({ details: { wallet, brand, last4 } }) => ({ wallet, brand, last_4: last4 }),
};
