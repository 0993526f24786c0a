import { getBalance as readBalance } from '../../services/ledger/get-balance.ts';
import type { Handler } from '../http/handler.ts';
import { balanceAnswer } from './balance-answer.ts';

export const getBalance: Handler<'getBalance'> = async ({ deps, merchant }) => ({
  status: 200,
  body: balanceAnswer(await readBalance(deps, merchant)),
});
