import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
/** A request after `clientAddresses` has read it. */
export interface AddressedRequest extends IncomingMessage {
  clientAddress?: string;
}

/**
 * Returns a function that reads the address of a request's client. A request that comes from a trusted proxy has the
 * last address of `X-Forwarded-For` that is not a trusted proxy's: the ones before it may be invented. The address of
 * an IPv6 client is that of its /64 network, because a subscriber has at least one.
 */
export function clientAddresses(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = trustedProxies.map(readNetwork);
  const isTrusted = (address: Address) =>
    trusted.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
  return (request) => {
    const socket = parsed(request.socket.remoteAddress ?? '');
    if (socket === undefined) return 'unknown';
    if (!isTrusted(socket)) return nameOf(socket);
    let client = socket;
    for (const text of forwardedFor(request).reverse()) {
      const address = parsed(text);
      if (address === undefined) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return nameOf(client);
  };
}

/** An address, or a network such as `10.0.0.0/8`, with the number of its first bits that count. */
function readNetwork(text: string): readonly [address: Address, bits: number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv6' ? 128 : 32];
}

function forwardedFor({ headers }: IncomingMessage): string[] {
  const lists = [headers['x-forwarded-for'] ?? []].flat();
  return lists.flatMap((list) => list.split(',')).map((part) => part.trim());
}

/** An address as load balancers with the option "client port" write it: `198.51.100.1:51234`, `[2001:db8::1]:51234`. */
const WITH_PORT = /^(?:([0-9.]+):[0-9]+|\[([^\]]*)\](?::[0-9]+)?)$/;

function parsed(text: string): Address | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const address = ipv4 ?? ipv6 ?? text;
  // At a text that is no address, ipaddr.js takes as long as the refusal of a request, so Node looks first.
  if (isIP(address) === 0) return undefined;
  // `fe80::1%eth0.10`: Node accepts more names of zones than ipaddr.js, which throws.
  return ipaddr.process(address.replace(/%.*$/, ''));
}

function nameOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
