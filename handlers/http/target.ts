import type { IncomingMessage } from 'node:http';

/** A request after `readTarget`: `url` is its path and query, or `*`. */
export interface TargetedRequest extends IncomingMessage {
  /** Host and port, if the target was a complete URL. */
  authority?: string;
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i;

/** Removes the origin from a request's target. Clients can send a complete URL (RFC 9112, section 3.2.2). */
export function readTarget(request: TargetedRequest): void {
  const target = request.url!;
  if (target.startsWith('/')) return;
  const [origin, authority] = ORIGIN.exec(target) ?? [];
  if (origin === undefined) return;
  const rest = target.slice(origin.length);
  request.authority = authority!;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Splits a target into path and query, each as it was sent. */
export function pathAndQuery(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}
