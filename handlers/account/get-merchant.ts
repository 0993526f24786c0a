import type { Handler } from '../http/handler.ts';
import { merchantAnswer } from './merchant-answer.ts';

/** The account came with the API key: there is nothing to look up. */
export const getMerchant: Handler<'getMerchant'> = async ({ merchant }) => ({
  status: 200,
  body: merchantAnswer(merchant),
});
