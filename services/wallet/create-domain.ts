import { insertWalletDomain, lockWalletDomainCount } from '../../db/wallet/wallet-domains.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { BASE36, randomText } from '../../domain/random-text.ts';
import {
  isDomainName,
  MAX_WALLET_DOMAINS,
  VERIFICATION_PATH,
  type WalletDomain,
} from '../../domain/wallet/wallet-domain.ts';
import type { Deps, Finish } from '../deps.ts';
import { invalid } from '../refusal.ts';
import { destinationRuleProblem } from '../webhooks/destination-rules.ts';

const VERIFICATION_CHARACTERS = 48;

export interface NewWalletDomain {
  readonly id: string;
  readonly domainName: string;
}

/**
 * Registers a domain for wallet buttons. It must be verified before it gets sessions. Refuses `domainName`: not the
 * name of a public host, registered before, or the merchant has the maximum of domains.
 */
export async function createWalletDomain<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewWalletDomain,
  finish: Finish<WalletDomain, Answer>,
): Promise<Answer> {
  const domainName = input.domainName.toLowerCase();
  refuseOtherNames(deps, domainName);
  const at = deps.wall();
  const domain: WalletDomain = {
    id: input.id,
    domainName,
    status: 'pending',
    verificationPath: VERIFICATION_PATH,
    verificationContent: randomText(BASE36, VERIFICATION_CHARACTERS, deps.random),
    failedChecks: 0,
    verifiedAt: null,
    problem: null,
    createdAt: at,
    updatedAt: at,
  };
  return deps.db.transaction(merchant, async (tx) => {
    if ((await lockWalletDomainCount(tx, merchant)) >= MAX_WALLET_DOMAINS) {
      throw invalid({ domainName: `You can have at most ${MAX_WALLET_DOMAINS} domains.` });
    }
    if (!(await insertWalletDomain(tx, merchant, domain))) {
      throw invalid({ domainName: 'You have already registered this domain.' });
    }
    return finish(tx, domain);
  });
}

function refuseOtherNames(deps: Pick<Deps, 'allowPrivateDestinations'>, domainName: string): void {
  if (!isDomainName(domainName)) {
    throw invalid({ domainName: 'Must be the name of a host, such as loja.example.com, and nothing else.' });
  }
  const problem = destinationRuleProblem(`https://${domainName}`, {
    allowPrivate: deps.allowPrivateDestinations,
  });
  if (problem !== undefined) throw invalid({ domainName: problem });
}
