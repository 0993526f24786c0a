import { findWalletDomain } from '../../services/wallet/find-domain.ts';
import type { Handler } from '../http/handler.ts';
import { walletDomainAnswer } from './wallet-domain-answer.ts';

export const getWalletDomain: Handler<'getWalletDomain'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: walletDomainAnswer(await findWalletDomain(deps, merchant, path.id)),
});
