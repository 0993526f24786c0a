import { verifyWalletDomain as verify } from '../../services/wallet/verify-domain.ts';
import type { Handler } from '../http/handler.ts';
import { walletDomainAnswer } from './wallet-domain-answer.ts';

export const verifyWalletDomain: Handler<'verifyWalletDomain'> = ({ deps, merchant, path, answer }) =>
  verify(
    deps,
    merchant,
    path.id,
    answer((domain) => ({ status: 200, body: walletDomainAnswer(domain) })),
  );
