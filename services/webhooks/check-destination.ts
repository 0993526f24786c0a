import type { Deps } from '../deps.ts';
import { destinationRuleProblem, isPublicAddress } from './destination-rules.ts';

type DestinationDeps = Pick<Deps, 'allowPrivateDestinations' | 'hostLookups' | 'upstreamCalls'>;

/**
 * Returns what is wrong with a URL for notifications (contract row 6.2), if anything: it breaks a rule of
 * `destination-rules.ts`, or its host has an address that is not public. A host that does not resolve now is accepted,
 * because every delivery checks the address to which it connects.
 */
export async function destinationProblem(
  deps: DestinationDeps,
  merchantId: string,
  text: string,
): Promise<string | undefined> {
  const problem = destinationRuleProblem(text, { allowPrivate: deps.allowPrivateDestinations });
  if (problem !== undefined || deps.allowPrivateDestinations) return problem;
  const lookup = deps.hostLookups.start(merchantId, new URL(text).hostname.replace(/\.$/, ''));
  // The merchant has too many look-ups in flight. The host is accepted like one that does not resolve now.
  if (lookup === undefined) return undefined;
  const addresses = await deps.upstreamCalls.track(merchantId, lookup);
  return addresses.every(isPublicAddress) ? undefined : 'Must resolve to public addresses only.';
}
