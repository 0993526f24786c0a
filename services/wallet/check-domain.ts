import {
  type DomainOwner,
  findDomainOwner,
  removeDomainOwner,
  setDomainOwner,
} from '../../db/wallet/verified-wallet-domains.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';
import {
  isVerificationFile,
  MAX_FAILED_CHECKS,
  SANDBOX_DOMAIN_SUFFIX,
  type WalletDomain,
} from '../../domain/wallet/wallet-domain.ts';
import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';
import { domainKey } from './domain-key.ts';
import { moveWalletDomain } from './move-domain.ts';

/** The sandbox leaves the file of these domains out, so that a failed verification can be tried. */
const SANDBOX_DOMAIN_WITHOUT_FILE = /^missing\./;

/**
 * Reads the verification file of a domain and moves the domain by the result. The directory of verified domains, which is
 * in another slot, is written first: it alone decides who gets sessions. Returns the domain, or undefined if it was
 * deleted during the check. Refusal: `unavailable`.
 */
export async function checkWalletDomain(
  deps: Deps,
  scope: MerchantScope,
  domain: WalletDomain,
  by: Actor,
): Promise<WalletDomain | undefined> {
  const isProven = await servesFile(deps, scope, domain);
  return isProven ? accept(deps, scope, domain, by) : refuse(deps, scope, domain, by);
}

async function servesFile(deps: Deps, scope: MerchantScope, domain: WalletDomain): Promise<boolean> {
  const { domainName, verificationContent, verificationPath } = domain;
  const isOfSandbox = deps.sandbox !== null && domainName.endsWith(SANDBOX_DOMAIN_SUFFIX);
  if (isOfSandbox && !SANDBOX_DOMAIN_WITHOUT_FILE.test(domainName)) {
    await callSandbox(deps, (sandbox) => sandbox.serveWalletFile(domainName, verificationContent));
  }
  const call = { url: `https://${domainName}${verificationPath}`, method: 'GET' } as const;
  const answer = await deps.upstreamCalls.track(scope.merchantId, deps.wallet.files.call(call));
  return (
    answer.kind === 'answer' &&
    answer.status === 200 &&
    !answer.isCut &&
    isVerificationFile(answer.body.toString('utf8'), domain)
  );
}

async function accept(
  deps: Deps,
  scope: MerchantScope,
  domain: WalletDomain,
  by: Actor,
): Promise<WalletDomain | undefined> {
  const key = domainKey(domain.domainName);
  const { slot, merchantId } = scope;
  const change = { by, failedChecks: 0, at: deps.wall() };
  const lose = (loser: DomainOwner) =>
    moveWalletDomain(deps.db, loser, { ...change, id: loser.domainId, move: 'lose' });
  const own: DomainOwner = { slot, merchantId, domainId: domain.id };
  const before = await findDomainOwner(deps.db, key);
  await setDomainOwner(deps.db, key, own);
  // The file belongs to this merchant, so the previous owner has lost the domain.
  if (before !== undefined && before.domainId !== domain.id) await lose(before);
  const verified = await moveWalletDomain(deps.db, scope, { ...change, id: domain.id, move: 'verify' });
  // It was deleted while its file was read.
  if (verified === undefined) {
    await removeDomainOwner(deps.db, key, domain.id);
    return undefined;
  }
  // Another account has verified it at the same time.
  const after = await findDomainOwner(deps.db, key);
  return after?.domainId === domain.id ? verified : lose(own);
}

async function refuse(
  deps: Deps,
  scope: MerchantScope,
  domain: WalletDomain,
  by: Actor,
): Promise<WalletDomain | undefined> {
  const failedChecks = domain.failedChecks + 1;
  const change = { id: domain.id, by, failedChecks, at: deps.wall() };
  if (domain.status !== 'verified') return moveWalletDomain(deps.db, scope, { ...change, move: 'reject' });
  const key = domainKey(domain.domainName);
  const owner = await findDomainOwner(deps.db, key);
  if (owner?.domainId === domain.id && failedChecks < MAX_FAILED_CHECKS) {
    return moveWalletDomain(deps.db, scope, { ...change, move: 'miss' });
  }
  await removeDomainOwner(deps.db, key, domain.id);
  const { domainName } = domain;
  deps.log.warn({ merchant_id: scope.merchantId, domain_name: domainName }, 'wallet domain unverified');
  return moveWalletDomain(deps.db, scope, { ...change, move: 'unverify' });
}
