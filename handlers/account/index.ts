import { getMerchant } from './get-merchant.ts';

export const account = { getMerchant };
