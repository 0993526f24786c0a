import ipaddr from 'ipaddr.js';
import type { Deps } from './deps.ts';

const PRIVATE_NAMES = ['localhost', 'local', 'internal', 'home.arpa'];
/** The address of a cloud's own agent: public by its range, and not meant for strangers. */
const DENIED_ADDRESSES = new Set(['168.63.129.16']);

type DestinationDeps = Pick<Deps, 'allowPrivateDestinations' | 'hostLookups' | 'waits'>;

/**
 * What is wrong with an address that a merchant gave for notifications (contract row 6.2), or undefined. https, a
 * host name, no credentials, and public when it resolves; one that does not resolve now is accepted, as every delivery
 * checks the address that it connects to.
 */
export async function destinationProblem(
  deps: DestinationDeps,
  merchantId: string,
  text: string,
): Promise<string | undefined> {
  if (!URL.canParse(text)) return 'Must be a URL.';
  const url = new URL(text);
  if (deps.allowPrivateDestinations && /^https?:$/.test(url.protocol)) return undefined;
  if (url.protocol !== 'https:') return 'Must be an https URL.';
  if (url.username !== '' || url.password !== '') return 'Must not hold credentials.';
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[') || ipaddr.isValid(host)) return 'Must name a host, not an IP address.';
  if (PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`)) || !host.includes('.')) {
    return 'Must name a public host.';
  }
  const lookup = deps.hostLookups.start(merchantId, host);
  // Too many look-ups of this merchant wait already: the name counts as one that does not resolve now.
  if (lookup === undefined) return undefined;
  const addresses = await deps.waits.during(merchantId, lookup);
  return addresses.every(isPublicAddress) ? undefined : 'Must resolve to public addresses only.';
}

/** Whether an address is one of the open internet, also when written as IPv4 within IPv6. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !DENIED_ADDRESSES.has(parsed.toString());
}
