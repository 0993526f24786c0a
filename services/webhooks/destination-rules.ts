import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Names that are never public: RFC 6761, RFC 6762, RFC 8375, and names that clouds and clusters use. */
const PRIVATE_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'svc', 'lan'];

/**
 * Ports of other protocols, whose servers could interpret a request as their own (Fetch standard, 2.9 Port blocking).
 */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** The address of a cloud's internal agent, which is in a public range. */
const DENIED_ADDRESSES = new Set(['168.63.129.16']);
/** The part of IPv6 that is assigned to public hosts (RFC 4291, 2.4). */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * RFC 3986 allows no other characters. The URL parser drops or replaces some of them, so that two programs may read
 * different URLs.
 */
const URL_CHARACTERS = /^[!#-;=?-[\]_a-z~]*$/;
/** Credentials before the host, also empty ones, which the URL parser drops (`https://@host`). */
const CREDENTIALS = /^[a-z]+:\/\/[^/?#]*@/i;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST_CHARACTERS = 253;

export interface DestinationRules {
  /** Whether http, IP addresses and private names are allowed too (a sandbox that is configured so). */
  readonly allowPrivate: boolean;
}

/**
 * Returns what is wrong with a URL of a merchant (contract rows 6.2 and 13.3), as a sentence for the caller; undefined
 * when the URL is allowed. Does not resolve the host: check its addresses with `isPublicAddress`.
 */
export function destinationRuleProblem(text: string, { allowPrivate }: DestinationRules): string | undefined {
  const url = URL_CHARACTERS.test(text) ? URL.parse(text) : null;
  if (url === null) return 'Must be a URL.';
  if (!/^https:\/\//i.test(text) && !(allowPrivate && /^http:\/\//i.test(text))) {
    return allowPrivate ? 'Must be an http or https URL.' : 'Must be an https URL.';
  }
  if (CREDENTIALS.test(text)) return 'Must not contain credentials.';
  const { hostname, port } = url;
  if (port !== '' && BLOCKED_PORTS.has(Number(port))) return `Must not use port ${Number(port)}.`;
  return allowPrivate ? undefined : hostProblem(hostname);
}

/**
 * `hostname` comes from the URL parser: in lower case, percent-decoded, and any form of an IPv4 address as four
 * numbers.
 */
function hostProblem(hostname: string): string | undefined {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) return 'Must name a host, not an IP address.';
  const isPrivate = PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`));
  const labels = host.split('.');
  const isHostName = host.length <= MAX_HOST_CHARACTERS && labels.every((label) => LABEL.test(label));
  return isPrivate || !isHostName || labels.length < 2 ? 'Must name a public host.' : undefined;
}

/**
 * Whether an address is public. A mapped IPv4 address (`::ffff:127.0.0.1`) is checked as IPv4; every other IPv6 address
 * that could contain an IPv4 address is refused.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const parsed = ipaddr.process(family === 6 ? inHex(address) : address);
  if (parsed.range() !== 'unicast' || DENIED_ADDRESSES.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(PUBLIC_IPV6);
}

/**
 * The IPv6 address without dots: ipaddr.js would read the IPv4-compatible `::8.8.8.8` as the mapped `::ffff:8.8.8.8`.
 */
function inHex(address: string): string {
  const [withoutZone] = address.split('%');
  return new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
}
