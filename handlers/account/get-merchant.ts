import type { Handler } from '../http/handler.ts';
import { merchantAnswer } from './merchant-answer.ts';

/** The look-up of the API key has already read the account. */
export const getMerchant: Handler<'getMerchant'> = async ({ merchant }) => ({
  status: 200,
  body: merchantAnswer(merchant),
});
