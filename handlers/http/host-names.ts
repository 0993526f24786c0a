import { isIPv4, isIPv6 } from 'node:net';
import type { RequestHandler } from 'express';
import type { TargetedRequest } from './target.ts';

const MISDIRECTED = {
  error: {
    code: 'misdirected_request',
    message:
      'This page is not served under the host name of the request. Use an IP address or localhost, or add the name to PUBLIC_HOSTS.',
  },
};

/** `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. */
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::[0-9]*)?$/;

/**
 * Accepts a request only if its host is an IP literal, `localhost` or one of `publicHosts` (in lower case, without a
 * trailing dot); otherwise answers 421 (RFC 9110, section 15.5.20). This prevents DNS rebinding: a page of another
 * origin could let its own host name resolve to this machine, and then read the answers.
 */
export function refuseOtherHosts(publicHosts: readonly string[]): RequestHandler {
  const names = new Set(['localhost', ...publicHosts]);
  return (request, response, next) => {
    const { authority, headers } = request as TargetedRequest;
    const isOurs = isOwnHost(headers.host, names) && (authority === undefined || isOwnHost(authority, names));
    if (isOurs) next();
    else response.status(421).json(MISDIRECTED);
  };
}

function isOwnHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const [, ipv6, other] = HOST.exec(host ?? '') ?? [];
  // A zone is valid on one machine only, and browsers do not send it.
  if (ipv6 !== undefined) return isIPv6(ipv6) && !ipv6.includes('%');
  const name = (other ?? '').toLowerCase().replace(/\.$/, '');
  return isIPv4(name) || names.has(name);
}
