import type { Report } from './change.ts';
import { type Document, isNode, type Node } from './document.ts';

/** Addresses of the API that are there no more; `before` and `after` hold the `servers`. */
export function compareServers(before: Node, after: Node, where: string, report: Report): void {
  const left = new Set(urlsOf(after));
  for (const url of urlsOf(before)) {
    if (!left.has(url)) report('server-removed', where + url, `is gone, there is ${[...left].join(', ')}`);
  }
}

/** The old servers of an operation that has its own, or got them; else those of the whole contract are compared. */
export function compareOwnServers(
  before: Document,
  after: Document,
  was: Node,
  is: Node,
  name: string,
  report: Report,
): void {
  if (was.servers === undefined && is.servers === undefined) return;
  const [old, now] = [was.servers ?? before.root.servers, is.servers ?? after.root.servers];
  compareServers({ servers: old }, { servers: now }, `${name} `, report);
}

/** A key breaks that sufficed and suffices no more: every old alternative must cover a new one. */
export function compareSecurity(old: unknown, now: unknown, where: string, report: Report): void {
  const [was, is] = [alternatives(old), alternatives(now)];
  const isLeft = was.every((held) => is.some((asked) => suffices(held, asked)));
  if (!isLeft) report('security-changed', where, `${JSON.stringify(old)} → ${JSON.stringify(now)}`);
}

/** A key breaks that has the permission asked for until now, and not the new one. Writing includes reading. */
export function comparePermission(before: Node, after: Node, where: string, report: Report): void {
  const [was, is] = [before['x-permission'], after['x-permission']];
  if (typeof was !== 'string' || is === undefined) return;
  const isCovered = is === was || is === was.replace(/:write$/, ':read');
  if (!isCovered) report('security-changed', where, `permission ${was} → ${is}`);
}

/** Ways to send a key that are others now. One that is gone is told of by each operation that asked for it. */
export function compareSecuritySchemes(before: Document, after: Document, report: Report): void {
  const [was, is] = [schemesOf(before), schemesOf(after)];
  for (const name of Object.keys(was)) {
    const [old, now] = [before.written(was[name]), after.written(is[name])];
    if (is[name] !== undefined && old !== now) report('security-changed', name, `${old} → ${now}`);
  }
}

/** How a parameter is written on the wire, where it is not its schema that says so. */
export function compareForm(before: Node, after: Node, where: string, report: Report): void {
  const [was, is] = [formOf(before), formOf(after)];
  if (was !== is) report('parameter-changed', where, `${was} → ${is}`);
}

function urlsOf({ servers }: Node): string[] {
  // Without any the specification means this one.
  if (!Array.isArray(servers) || servers.length === 0) return ['/'];
  return servers.map(({ url }: Node) => String(url));
}

/** No requirement at all is one that everybody meets. */
function alternatives(security: unknown): Node[] {
  return Array.isArray(security) && security.length > 0 ? security : [{}];
}

function suffices(held: Node, asked: Node): boolean {
  return Object.entries(asked).every(([scheme, scopes]) => {
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
  return explode === true ? `${style}, each value by itself` : `${style}`;
}
