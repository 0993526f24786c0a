import { parse as parseQuery } from 'node:querystring';
import { OpenAPIRouter, type Operation, type ParsedRequest, type Request } from 'openapi-backend';

/**
 * Replaces a path parameter with broken percent-encoding. Identifiers cannot contain control characters, so each operation
 * refuses it with its own error.
 */
const UNDECODABLE = '\u0000';

interface TrieNode {
  readonly children: Map<string, TrieNode>;
  parameter: TrieNode | undefined;
  readonly methods: Map<string, Operation>;
}

interface Match {
  readonly methods: ReadonlyMap<string, Operation>;
  readonly values: readonly string[];
}

/** openapi-backend routes each request four times, so the first result is stored in the request. */
interface RoutedRequest extends Request {
  match?: Match | null;
  parsedQuery?: object;
}

function newNode(): TrieNode {
  return { children: new Map(), parameter: undefined, methods: new Map() };
}

/**
 * openapi-backend's router with another matcher. The original builds a list of operations and a regular expression per path
 * template for each request, which costs more than the rest of the request. This one follows the segments of the path. A
 * fixed segment takes precedence over a parameter.
 */
export class TrieRouter extends OpenAPIRouter {
  readonly #root = newNode();
  readonly #byId = new Map<string, Operation>();
  readonly #parameterNames = new Map<string, readonly string[]>();
  #operations: Operation[] | undefined;

  constructor(options: ConstructorParameters<typeof OpenAPIRouter>[0]) {
    super(options);
    for (const operation of this.getOperations()) this.#add(operation);
  }

  #add(operation: Operation): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of operation.path.split('/').slice(1)) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1));
        node.parameter ??= newNode();
        node = node.parameter;
      } else {
        if (!node.children.has(segment)) node.children.set(segment, newNode());
        node = node.children.get(segment)!;
      }
    }
    node.methods.set(operation.method, operation);
    this.#byId.set(operation.operationId!, operation);
    this.#parameterNames.set(operation.operationId!, names);
  }

  override getOperations(): Operation[] {
    this.#operations ??= super.getOperations();
    return this.#operations;
  }

  override getOperation(operationId: string): Operation | undefined {
    return this.#byId.get(operationId);
  }

  /** Methods of a path, in upper case; empty for an unknown path. */
  methodsOf(path: string): string[] {
    return [...(this.#walk(path)?.methods.keys() ?? [])].map((method) => method.toUpperCase());
  }

  override matchOperation(req: Request): Operation | undefined;
  override matchOperation(req: Request, strict: boolean): Operation;
  override matchOperation(req: Request, strict?: boolean): Operation | undefined {
    const match = this.#find(req);
    const operation = match?.methods.get(req.method.toLowerCase());
    if (operation !== undefined || !strict) return operation;
    throw new Error(
      match === undefined ? '404-notFound: no such path' : '405-methodNotAllowed: no such method',
    );
  }

  override parseRequest(req: Request, operation?: Operation): ParsedRequest {
    const params: Record<string, string> = {};
    if (operation !== undefined) {
      const values = this.#find(req)?.values ?? [];
      const names = this.#parameterNames.get(operation.operationId!) ?? [];
      names.forEach((name, index) => {
        params[name] = decode(values[index] ?? '');
      });
    }
    return {
      method: req.method.toLowerCase(),
      path: req.path,
      headers: req.headers as Record<string, string | string[]>,
      // A string before validation, then an object with the types of the contract.
      query: this.#queryOf(req) as ParsedRequest['query'],
      cookies: {},
      params,
      requestBody: req.body,
    };
  }

  #queryOf(req: RoutedRequest): object {
    if (typeof req.query !== 'string') return { ...req.query };
    req.parsedQuery ??= parseQuery(withoutEmptyPairs(req.query));
    return { ...req.parsedQuery };
  }

  #find(req: RoutedRequest): Match | undefined {
    if (req.match === undefined) req.match = this.#walk(req.path) ?? null;
    return req.match ?? undefined;
  }

  #walk(path: string): Match | undefined {
    const root = this.apiRoot === '/' ? '' : this.apiRoot;
    if (!path.startsWith(`${root}/`)) return undefined;
    let node: TrieNode | undefined = this.#root;
    const values: string[] = [];
    for (const segment of path.slice(root.length + 1).split('/')) {
      const fixed: TrieNode | undefined = node.children.get(segment);
      if (fixed === undefined) values.push(segment);
      node = fixed ?? node.parameter;
      if (node === undefined) return undefined;
    }
    return node.methods.size > 0 ? { methods: node.methods, values } : undefined;
  }
}

/** Removes empty pairs (`&&`). The parser reads only the first thousand pairs, so empty ones could hide a parameter. */
function withoutEmptyPairs(query: string): string {
  return query.includes('&&') ? query.replaceAll(/&{2,}/g, '&') : query;
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return UNDECODABLE;
  }
}
