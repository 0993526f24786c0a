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
  MAX_VERIFICATION_FILE_BYTES,
  SANDBOX_DOMAIN_SUFFIX,
  type WalletDomain,
  type WalletDomainProblem,
} from '../../domain/wallet/wallet-domain.ts';
import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';
import { domainKey } from './domain-key.ts';
import { moveWalletDomain } from './move-domain.ts';

const VERIFIED_BY_ANOTHER: WalletDomainProblem = {
  code: 'verified_by_another_account',
  message: 'Another account has verified this domain.',
};

/** The sandbox leaves the file of these domains out, so that a failed verification can be tried. */
const SANDBOX_DOMAIN_WITHOUT_FILE = /^missing\./;

/**
 * Reads the verification file of a domain and moves the domain by the result. The directory of verified domains, which
 * is in another slot, is written first: it decides which of several accounts gets sessions. Returns the domain, or
 * undefined if it was deleted during the check. Refusal: `unavailable`.
 */
export async function checkWalletDomain(
  deps: Deps,
  scope: MerchantScope,
  domain: WalletDomain,
  by: Actor,
): Promise<WalletDomain | undefined> {
  const problem = await readFile(deps, scope, domain);
  return problem === null ? accept(deps, scope, domain, by) : refuse(deps, scope, domain, { by, problem });
}

/** Why the file that the domain serves is not its verification file; null if it is. */
async function readFile(
  deps: Deps,
  scope: MerchantScope,
  domain: WalletDomain,
): Promise<WalletDomainProblem | null> {
  const { domainName, verificationContent, verificationPath } = domain;
  const isOfSandbox = deps.sandbox !== null && domainName.endsWith(SANDBOX_DOMAIN_SUFFIX);
  if (isOfSandbox && !SANDBOX_DOMAIN_WITHOUT_FILE.test(domainName)) {
    await callSandbox(deps, (sandbox) => sandbox.serveWalletFile(domainName, verificationContent));
  }
  const call = deps.wallet.files.call({
    url: `https://${domainName}${verificationPath}`,
    method: 'GET',
    maxAnswer_bytes: MAX_VERIFICATION_FILE_BYTES,
  });
  const answer = await deps.upstreamCalls.track(scope.merchantId, call);
  if (answer.kind === 'failed') return { code: answer.code, message: answer.message };
  const { status, body, isCut } = answer;
  if (status !== 200) {
    const redirect = status >= 300 && status <= 399 ? ' A redirect is not followed.' : '';
    return { code: 'unexpected_status', message: `The answer had the status ${status}.${redirect}` };
  }
  if (isCut) return { code: 'too_large', message: 'The file has more than 4 KiB.' };
  if (isVerificationFile(body.toString('utf8'), domain)) return null;
  return { code: 'unexpected_content', message: 'The file does not contain the verification content.' };
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
    moveWalletDomain(deps.db, loser, {
      ...change,
      id: loser.domainId,
      move: 'lose',
      problem: VERIFIED_BY_ANOTHER,
    });
  const own: DomainOwner = { slot, merchantId, domainId: domain.id };
  const before = await findDomainOwner(deps.db, key);
  await setDomainOwner(deps.db, key, own);
  // The file belongs to this merchant, so the previous owner has lost the domain.
  if (before !== undefined && before.domainId !== domain.id) await lose(before);
  const verify = { ...change, id: domain.id, move: 'verify', problem: null } as const;
  const verified = await moveWalletDomain(deps.db, scope, verify);
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
  { by, problem }: { readonly by: Actor; readonly problem: WalletDomainProblem },
): Promise<WalletDomain | undefined> {
  const failedChecks = domain.failedChecks + 1;
  const change = { id: domain.id, by, failedChecks, problem, at: deps.wall() };
  if (domain.status !== 'verified') return moveWalletDomain(deps.db, scope, { ...change, move: 'reject' });
  const key = domainKey(domain.domainName);
  const owner = await findDomainOwner(deps.db, key);
  if (owner?.domainId === domain.id && failedChecks < MAX_FAILED_CHECKS) {
    return moveWalletDomain(deps.db, scope, { ...change, move: 'miss' });
  }
  await removeDomainOwner(deps.db, key, domain.id);
  const { domainName } = domain;
  const fields = { merchant_id: scope.merchantId, domain_name: domainName, problem: problem.code };
  deps.log.warn(fields, 'wallet domain unverified');
  return moveWalletDomain(deps.db, scope, { ...change, move: 'unverify' });
}
