import type { Report } from './change.ts';
import { type Document, isNode, type Node } from './document.ts';

/** Reports addresses of the API that were removed. `before` and `after` hold the `servers`. */
export function compareServers(before: Node, after: Node, where: string, report: Report): void {
  const left = new Set(urlsOf(after));
  for (const url of urlsOf(before)) {
    if (!left.has(url)) report('server-removed', where + url, `is removed, there is ${[...left].join(', ')}`);
  }
}

/** Compares the servers of an operation with its own, before or after. Others use those of the whole contract. */
export function compareOwnServers(
  { before, after, report }: { readonly before: Document; readonly after: Document; readonly report: Report },
  was: Node,
  is: Node,
  name: string,
): void {
  if (was.servers === undefined && is.servers === undefined) return;
  const [old, now] = [was.servers ?? before.root.servers, is.servers ?? after.root.servers];
  compareServers({ servers: old }, { servers: now }, `${name} `, report);
}

/** Reports when a credential that was sufficient no longer is: every old alternative must satisfy a new one. */
export function compareSecurity(old: unknown, now: unknown, where: string, report: Report): void {
  const [was, is] = [alternatives(old), alternatives(now)];
  const isEnough = was.every((held) => is.some((required) => covers(held, required)));
  if (!isEnough) report('security-changed', where, `${JSON.stringify(old)} → ${JSON.stringify(now)}`);
}

/** Reports when a key with the old permission lacks the new one. A write permission includes reading. */
export function comparePermission(before: Node, after: Node, where: string, report: Report): void {
  const [was, is] = [before['x-permission'], after['x-permission']];
  if (typeof was !== 'string' || is === undefined) return;
  const isCovered = is === was || is === was.replace(/:write$/, ':read');
  if (!isCovered) report('security-changed', where, `permission ${was} → ${is}`);
}

/** Reports changed ways to send a key. A removed one is reported by each operation that required it. */
export function compareSecuritySchemes(before: Document, after: Document, report: Report): void {
  const [was, is] = [schemesOf(before), schemesOf(after)];
  for (const name of Object.keys(was)) {
    const [old, now] = [before.written(was[name]), after.written(is[name])];
    if (is[name] !== undefined && old !== now) report('security-changed', name, `${old} → ${now}`);
  }
}

/** Compares how a parameter is serialized, apart from its schema. */
export function compareForm(before: Node, after: Node, where: string, report: Report): void {
  const [was, is] = [formOf(before), formOf(after)];
  if (was !== is) report('parameter-changed', where, `${was} → ${is}`);
}

function urlsOf({ servers }: Node): string[] {
  // The default of the OpenAPI specification.
  if (!Array.isArray(servers) || servers.length === 0) return ['/'];
  return servers.map(({ url }: Node) => String(url));
}

/** An operation without requirements accepts every caller. */
function alternatives(security: unknown): Node[] {
  return Array.isArray(security) && security.length > 0 ? security : [{}];
}

function covers(held: Node, required: Node): boolean {
  return Object.entries(required).every(([scheme, scopes]) => {
    const has = held[scheme];
    return Array.isArray(has) && (scopes as string[]).every((scope) => has.includes(scope));
  });
}

function schemesOf({ root }: Document): Node {
  const { components } = root;
  return isNode(components) && isNode(components.securitySchemes) ? components.securitySchemes : {};
}

function formOf(parameter: Node): string {
  const isInQuery = parameter.in === 'query' || parameter.in === 'cookie';
  const style = parameter.style ?? (isInQuery ? 'form' : 'simple');
  const explode = parameter.explode ?? style === 'form';
  if (isNode(parameter.content)) return Object.keys(parameter.content).join();
  return explode === true ? `${style}, exploded` : `${style}`;
}
