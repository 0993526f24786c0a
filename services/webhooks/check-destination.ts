import type { Deps } from '../deps.ts';
import { destinationRuleProblem, isPublicAddress } from './destination-rules.ts';

type DestinationDeps = Pick<Deps, 'allowPrivateDestinations' | 'hostLookups' | 'upstreamCalls'>;

/**
 * Returns what is wrong with an address that a merchant gave for notifications (contract row 6.2), if anything. Its rules
 * are in `destination-rules.ts`; what it resolves to must be public. A name that does not resolve now is accepted, because
 * every delivery checks the address that it connects to.
 */
export async function destinationProblem(
  deps: DestinationDeps,
  merchantId: string,
  text: string,
): Promise<string | undefined> {
  const problem = destinationRuleProblem(text, { allowPrivate: deps.allowPrivateDestinations });
  if (problem !== undefined || deps.allowPrivateDestinations) return problem;
  const lookup = deps.hostLookups.start(merchantId, new URL(text).hostname.replace(/\.$/, ''));
  // The merchant has too many look-ups in flight: the name counts as one that does not resolve now.
  if (lookup === undefined) return undefined;
  const addresses = await deps.upstreamCalls.track(merchantId, lookup);
  return addresses.every(isPublicAddress) ? undefined : 'Must resolve to public addresses only.';
}
