import {
  compareOwnServers,
  comparePermission,
  compareSecurity,
  compareSecuritySchemes,
  compareServers,
} from './access.ts';
import type { Change, Report } from './change.ts';
import { compareContents, type Tools } from './contents.ts';
import { Document, entriesOf, isNode, type Node } from './document.ts';
import { schemaOf } from './keywords.ts';
import { compareParameters, parametersOf } from './parameters.ts';
import { SchemaComparison } from './schemas.ts';
import { compareSequences } from './sequences.ts';
import { SharedParts } from './shared.ts';
import { compareTags } from './tags.ts';
import { compareWebhooks } from './webhooks.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The breaking changes between two bundled documents. */
export function breakingChanges(before: Node, after: Node): Change[] {
  const changes = new Map<string, Omit<Change, 'what'> & { whats: Set<string> }>();
  const report: Report = (kind, where, what) => {
    const key = `${kind} ${where}`;
    const change = changes.get(key) ?? { kind, where, whats: new Set() };
    change.whats.add(what);
    changes.set(key, change);
  };
  const shared = new SharedParts();
  const [was, is] = [new Document(before), new Document(after)];
  const schemas = new SchemaComparison(was, is, report);
  new ContractComparison({ before: was, after: is, shared, schemas, report }).compare();
  return [...changes.values()].map(({ kind, where, whats }) => {
    return { kind, where, what: [...whats].join('; ') + shared.extentOf(where) };
  });
}

class ContractComparison {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  compare(): void {
    compareServers(this.#tools.before.root, this.#tools.after.root, '', this.#tools.report);
    compareSecuritySchemes(this.#tools.before, this.#tools.after, this.#tools.report);
    const left = operationsOf(this.#tools.after.root);
    const kept: [Node, Node][] = [];
    for (const [address, was] of operationsOf(this.#tools.before.root)) {
      const name = String(was.operationId);
      const is = left.get(address);
      if (is === undefined) this.#tools.report('operation-removed', name, `${address} is removed`);
      else {
        if (was.operationId !== is.operationId)
          this.#tools.report('operation-renamed', name, `is now ${is.operationId}`);
        this.#compareOperation(name, was, is);
        kept.push([was, is]);
      }
    }
    compareTags(kept, this.#tools.report);
    compareWebhooks(this.#tools);
    compareSequences(this.#tools);
  }

  #compareOperation(name: string, was: Node, is: Node): void {
    compareOwnServers(this.#tools, was, is, name);
    const [old, now] = [
      was.security ?? this.#tools.before.root.security,
      is.security ?? this.#tools.after.root.security,
    ];
    const isShared = was.security === undefined && is.security === undefined;
    compareSecurity(
      old,
      now,
      isShared ? this.#tools.shared.share('security', name) : name,
      this.#tools.report,
    );
    comparePermission(was, is, name, this.#tools.report);
    const [before, after] = [parametersOf(this.#tools.before, was), parametersOf(this.#tools.after, is)];
    compareParameters(before, after, name, this.#tools);
    this.#compareBodies(name, was.requestBody, is.requestBody);
    const responses = isNode(is.responses) ? is.responses : {};
    for (const [status, response] of entriesOf(was.responses)) {
      const at = `${name} ${status}`;
      if (responses[status] === undefined)
        this.#tools.report('answer-removed', at, `${status} is no longer answered`);
      else this.#compareAnswers(at, response, responses[status]);
    }
    this.#findNewSuccesses(name, was.responses, responses);
  }

  /** A client that knows one success treats another as a failure, or misreads its body. */
  #findNewSuccesses(name: string, was: unknown, is: Node): void {
    const known = isNode(was) ? was : {};
    for (const status of Object.keys(is)) {
      const isNew = /^[23]/.test(status) && known[status] === undefined;
      if (isNew) this.#tools.report('answer-added', `${name} ${status}`, `${status} may be answered`);
    }
  }

  #compareBodies(name: string, was: unknown, is: unknown): void {
    const [before, after] = [this.#tools.before.follow(was), this.#tools.after.follow(is)];
    const at = this.#tools.shared.placeOf(was, is, `${name} body`);
    if (after.required === true && before.required !== true)
      this.#tools.report('body-required', at, 'a body is required');
    if (was !== undefined && is === undefined)
      this.#tools.report('body-removed', at, 'a body is no longer accepted');
    else compareContents(at, before, after, 'request', this.#tools);
  }

  #compareAnswers(place: string, was: unknown, is: unknown): void {
    const at = this.#tools.shared.placeOf(was, is, place);
    const [before, after] = [this.#tools.before.follow(was), this.#tools.after.follow(is)];
    compareContents(at, before, after, 'answer', this.#tools);
    const left = isNode(after.headers) ? after.headers : {};
    for (const [name, written] of entriesOf(before.headers)) {
      const [header, now] = [this.#tools.before.follow(written), this.#tools.after.follow(left[name])];
      const where = this.#tools.shared.placeOf(written, left[name], `${at} ${name}`);
      const isLess = left[name] === undefined || (header.required === true && now.required !== true);
      if (isLess) this.#tools.report('answer-header-removed', where, 'cannot be relied upon');
      else this.#tools.schemas.compare(schemaOf(header), schemaOf(now), 'answer', where);
    }
  }
}

/** Operations by method and path. Names of path parameters are left out: they are not on the wire. */
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
