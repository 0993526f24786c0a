import { listWalletDomains as list } from '../../services/wallet/find-domain.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { walletDomainAnswer } from './wallet-domain-answer.ts';

export const listWalletDomains: Handler<'listWalletDomains'> = async ({ deps, merchant, query }) => ({
  status: 200,
  body: pageAnswer(await list(deps, merchant, pageInput(query)), walletDomainAnswer),
});
