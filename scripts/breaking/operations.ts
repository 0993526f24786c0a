import { compareOwnServers, compareSecurity, compareSecuritySchemes, compareServers } from './access.ts';
import type { Change, Report } from './change.ts';
import { Document, entriesOf, isNode, type Node } from './document.ts';
import { compareParameters, parametersOf } from './parameters.ts';
import { SchemaComparison } from './schemas.ts';
import { SharedParts } from './shared.ts';
import { compareTags } from './tags.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What of the old contract a caller can no longer rely on in the new one. Both are bundled documents. */
export function breakingChanges(before: Node, after: Node): Change[] {
  const changes = new Map<string, Omit<Change, 'what'> & { whats: Set<string> }>();
  const report: Report = (kind, where, what) => {
    const key = `${kind} ${where}`;
    const change = changes.get(key) ?? { kind, where, whats: new Set() };
    change.whats.add(what);
    changes.set(key, change);
  };
  const shared = new SharedParts();
  new ContractComparison(new Document(before), new Document(after), shared, report).compare();
  return [...changes.values()].map(({ kind, where, whats }) => {
    return { kind, where, what: [...whats].join('; ') + shared.extentOf(where) };
  });
}

class ContractComparison {
  readonly #before: Document;
  readonly #after: Document;
  readonly #shared: SharedParts;
  readonly #report: Report;
  readonly #schemas: SchemaComparison;

  constructor(before: Document, after: Document, shared: SharedParts, report: Report) {
    this.#before = before;
    this.#after = after;
    this.#shared = shared;
    this.#report = report;
    this.#schemas = new SchemaComparison(before, after, report);
  }

  compare(): void {
    compareServers(this.#before.root, this.#after.root, '', this.#report);
    compareSecuritySchemes(this.#before, this.#after, this.#report);
    const left = operationsOf(this.#after.root);
    const kept: [Node, Node][] = [];
    for (const [address, was] of operationsOf(this.#before.root)) {
      const name = String(was.operationId);
      const is = left.get(address);
      if (is === undefined) this.#report('operation-removed', name, `${address} is gone`);
      else {
        if (was.operationId !== is.operationId)
          this.#report('operation-renamed', name, `is ${is.operationId} now`);
        this.#compareOperation(name, was, is);
        kept.push([was, is]);
      }
    }
    compareTags(kept, this.#report);
    this.#compareWebhooks();
  }

  #compareOperation(name: string, was: Node, is: Node): void {
    compareOwnServers(this.#before, this.#after, was, is, name, this.#report);
    const [old, now] = [was.security ?? this.#before.root.security, is.security ?? this.#after.root.security];
    const isOfAll = was.security === undefined && is.security === undefined;
    compareSecurity(old, now, isOfAll ? this.#shared.share('security', name) : name, this.#report);
    const [before, after] = [parametersOf(this.#before, was), parametersOf(this.#after, is)];
    compareParameters(before, after, name, {
      shared: this.#shared,
      schemas: this.#schemas,
      report: this.#report,
    });
    this.#compareBodies(name, was.requestBody, is.requestBody);
    const responses = isNode(is.responses) ? is.responses : {};
    for (const [status, response] of entriesOf(was.responses)) {
      const at = `${name} ${status}`;
      if (responses[status] === undefined)
        this.#report('answer-removed', at, `${status} is answered no more`);
      else this.#compareAnswers(at, response, responses[status]);
    }
  }

  #compareBodies(name: string, was: unknown, is: unknown): void {
    const [before, after] = [this.#before.follow(was), this.#after.follow(is)];
    const at = this.#shared.placeOf(was, is, `${name} body`);
    if (after.required === true && before.required !== true)
      this.#report('body-required', at, 'a body is needed');
    if (was !== undefined && is === undefined) this.#report('body-removed', at, 'no body is taken');
    else this.#compareContents(at, before, after, 'request');
  }

  #compareAnswers(place: string, was: unknown, is: unknown): void {
    const at = this.#shared.placeOf(was, is, place);
    const [before, after] = [this.#before.follow(was), this.#after.follow(is)];
    this.#compareContents(at, before, after, 'answer');
    const left = isNode(after.headers) ? after.headers : {};
    for (const [name, written] of entriesOf(before.headers)) {
      const [header, now] = [this.#before.follow(written), this.#after.follow(left[name])];
      const where = this.#shared.placeOf(written, left[name], `${at} ${name}`);
      const isLess = left[name] === undefined || (header.required === true && now.required !== true);
      if (isLess) this.#report('answer-header-removed', where, 'cannot be relied upon');
      else this.#schemas.compare(header.schema, now.schema, 'answer', where);
    }
  }

  #compareContents(at: string, before: Node, after: Node, direction: 'request' | 'answer'): void {
    const left = isNode(after.content) ? after.content : {};
    for (const [type, media] of entriesOf(before.content)) {
      const now = left[type];
      if (!isNode(now)) this.#report('media-type-removed', `${at} ${type}`, 'is gone');
      else this.#schemas.compare(media.schema ?? {}, now.schema ?? {}, direction, at);
    }
  }

  /** The body of a webhook is sent by the service: an answer that nobody asked for. */
  #compareWebhooks(): void {
    const after = isNode(this.#after.root.webhooks) ? this.#after.root.webhooks : {};
    for (const [name, item] of entriesOf(this.#before.root.webhooks)) {
      const [was, is] = [this.#before.follow(item), this.#after.follow(after[name])];
      if (!isNode(is.post)) this.#report('webhook-removed', name, 'is sent no more');
      else {
        const bodies = [
          this.#before.follow((was.post as Node).requestBody),
          this.#after.follow(is.post.requestBody),
        ] as const;
        this.#compareContents(name, ...bodies, 'answer');
      }
    }
  }
}

/** By method and path. The name of a path's parameter is not on the wire, and is compared as a parameter. */
function operationsOf(document: Node): Map<string, Node> {
  const operations = new Map<string, Node>();
  for (const [path, item] of entriesOf(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!isNode(operation)) continue;
      const parameters = [item.parameters ?? [], operation.parameters ?? []].flat();
      const address = `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`;
      operations.set(address, { servers: item.servers, ...operation, parameters });
    }
  }
  return operations;
}
