import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { Deps } from './deps.ts';

const PRIVATE_NAMES = ['localhost', 'local', 'internal', 'home.arpa'];
/** The address of a cloud's own agent: public by its range, and not meant for strangers. */
const DENIED_ADDRESSES = new Set(['168.63.129.16']);
const RESOLVE_MS = 1_000;

/**
 * What is wrong with an address that a merchant gave for notifications (contract row 6.2), or undefined. https, a
 * host name, no credentials, and public when it resolves; one that does not resolve now is accepted, as every delivery
 * checks the address that it connects to.
 */
export async function destinationProblem(deps: Deps, text: string): Promise<string | undefined> {
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
  const addresses = await resolveWithin(host, RESOLVE_MS);
  return addresses.every(isPublicAddress) ? undefined : 'Must resolve to public addresses only.';
}

/** Whether an address is one of the open internet, also when written as IPv4 within IPv6. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !DENIED_ADDRESSES.has(parsed.toString());
}

/**
 * Asks name servers itself. The system's own look-up holds one of the process's four threads until it is done: with a
 * few names whose servers are silent, nothing else would be looked up, and no card decrypted.
 */
async function resolveWithin(host: string, limit_ms: number): Promise<string[]> {
  const resolver = new Resolver({ timeout: limit_ms, tries: 1 });
  const timer = setTimeout(() => resolver.cancel(), limit_ms);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
