import {
  compareForm,
  compareOwnServers,
  compareSecurity,
  compareSecuritySchemes,
  compareServers,
} from './access.ts';
import type { Change, Report } from './change.ts';
import { Document, entriesOf, isNode, type Node } from './document.ts';
import { SchemaComparison } from './schemas.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What of the old contract a caller can no longer rely on in the new one. Both are bundled documents. */
export function breakingChanges(before: Node, after: Node): Change[] {
  const changes = new Map<string, Change>();
  const report: Report = (kind, where, what) => {
    const key = `${kind} ${where}`;
    if (!changes.has(key)) changes.set(key, { kind, where, what });
  };
  new ContractComparison(new Document(before), new Document(after), report).compare();
  return [...changes.values()];
}

class ContractComparison {
  readonly #before: Document;
  readonly #after: Document;
  readonly #report: Report;
  readonly #schemas: SchemaComparison;

  constructor(before: Document, after: Document, report: Report) {
    this.#before = before;
    this.#after = after;
    this.#report = report;
    this.#schemas = new SchemaComparison(before, after, report);
  }

  compare(): void {
    compareServers(this.#before.root, this.#after.root, '', this.#report);
    compareSecuritySchemes(this.#before, this.#after, this.#report);
    const left = operationsOf(this.#after.root);
    for (const [address, was] of operationsOf(this.#before.root)) {
      const name = String(was.operationId);
      const is = left.get(address);
      if (is === undefined) this.#report('operation-removed', name, `${address} is gone`);
      else {
        if (was.operationId !== is.operationId)
          this.#report('operation-renamed', name, `is ${is.operationId} now`);
        this.#compareOperation(name, was, is);
      }
    }
    this.#compareWebhooks();
  }

  #compareOperation(name: string, was: Node, is: Node): void {
    compareOwnServers(this.#before, this.#after, was, is, name, this.#report);
    const [old, now] = [was.security ?? this.#before.root.security, is.security ?? this.#after.root.security];
    compareSecurity(old, now, name, this.#report);
    this.#compareParameters(name, was, is);
    this.#compareBodies(name, was.requestBody, is.requestBody);
    const responses = isNode(is.responses) ? is.responses : {};
    for (const [status, response] of entriesOf(was.responses)) {
      const at = `${name} ${status}`;
      if (responses[status] === undefined)
        this.#report('answer-removed', at, `${status} is answered no more`);
      else this.#compareAnswers(at, response, responses[status]);
    }
  }

  #compareParameters(name: string, was: Node, is: Node): void {
    const before = this.#parametersOf(this.#before, was);
    const after = this.#parametersOf(this.#after, is);
    for (const [key, parameter] of before) {
      const at = `${name} ${key}`;
      const left = after.get(key);
      if (left === undefined) this.#report('parameter-removed', at, 'is gone');
      else {
        compareForm(parameter, left, at, this.#report);
        this.#schemas.compare(parameter.schema, left.schema, 'request', at);
      }
    }
    for (const [key, parameter] of after) {
      if (parameter.required === true && before.get(key)?.required !== true)
        this.#report('parameter-required', `${name} ${key}`, 'is required');
    }
  }

  #compareBodies(name: string, was: unknown, is: unknown): void {
    const [before, after] = [this.#before.follow(was), this.#after.follow(is)];
    const at = `${name} body`;
    if (after.required === true && before.required !== true)
      this.#report('body-required', at, 'a body is needed');
    if (was !== undefined && is === undefined) this.#report('body-removed', at, 'no body is taken');
    else this.#compareContents(at, before, after, 'request');
  }

  #compareAnswers(at: string, was: unknown, is: unknown): void {
    const [before, after] = [this.#before.follow(was), this.#after.follow(is)];
    this.#compareContents(at, before, after, 'answer');
    const left = isNode(after.headers) ? after.headers : {};
    for (const [name, written] of entriesOf(before.headers)) {
      const [header, now] = [this.#before.follow(written), this.#after.follow(left[name])];
      const isLess = left[name] === undefined || (header.required === true && now.required !== true);
      if (isLess) this.#report('answer-header-removed', `${at} ${name}`, 'cannot be relied upon');
      else this.#schemas.compare(header.schema, now.schema, 'answer', `${at} ${name}`);
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

  /** By place and name: `query per_page`. */
  #parametersOf(document: Document, operation: Node): Map<string, Node> {
    const parameters = ((operation.parameters ?? []) as unknown[]).map((one) => document.follow(one));
    return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
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
