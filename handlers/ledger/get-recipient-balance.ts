import { getRecipientBalance as readBalance } from '../../services/ledger/get-balance.ts';
import type { Handler } from '../http/handler.ts';
import { balanceAnswer } from './balance-answer.ts';

export const getRecipientBalance: Handler<'getRecipientBalance'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: balanceAnswer(await readBalance(deps, merchant, path.identifier)),
});
