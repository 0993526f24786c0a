import { createWalletDomain as create } from '../../services/wallet/create-domain.ts';
import type { Handler } from '../http/handler.ts';
import { walletDomainAnswer } from './wallet-domain-answer.ts';

export const createWalletDomain: Handler<'createWalletDomain'> = ({ deps, merchant, body, newId, answer }) =>
  create(
    deps,
    merchant,
    { id: newId, domainName: body.domain_name },
    answer((domain) => ({ status: 201, body: walletDomainAnswer(domain) })),
  );
