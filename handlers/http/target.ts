import type { IncomingMessage } from 'node:http';

/** A request whose target has been read: `url` holds path and query alone, or `*`. */
export interface TargetedRequest extends IncomingMessage {
  /** The host, with its port, of a target that named the origin again. */
  authority?: string;
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i;

/** Takes the origin, which a client may name again (RFC 9112, section 3.2.2), out of a request's target. */
export function readTarget(request: TargetedRequest): void {
  const target = request.url!;
  if (target.startsWith('/')) return;
  const [origin, authority] = ORIGIN.exec(target) ?? [];
  if (origin === undefined) return;
  const rest = target.slice(origin.length);
  request.authority = authority!;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path and the query behind it, each as it was sent. */
export function pathAndQuery(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}
