import { parse as parseQuery } from 'node:querystring';
import { OpenAPIRouter, type Operation, type ParsedRequest, type Request } from 'openapi-backend';

/**
 * Replaces a path parameter with broken percent-encoding. Identifiers cannot contain control characters, so each
 * operation refuses it with its own error.
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
 * openapi-backend's router with another matcher. The original builds a list of operations and a regular expression per
 * path template for each request, which costs more than the rest of the request. This one follows the segments of the
 * path. A fixed segment takes precedence over a parameter, unless only the parameter leads to an operation of the
 * method.
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

  /** Methods of the path of a request that has none of them, in upper case; empty for an unknown path. */
  methodsOf(req: Request): string[] {
    return [...(this.#find(req)?.methods.keys() ?? [])].map((method) => method.toUpperCase());
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
    if (req.query === '') return {};
    if (typeof req.query !== 'string') return { ...req.query };
    req.parsedQuery ??= parseQuery(withoutEmptyPairs(req.query));
    return { ...req.parsedQuery };
  }

  #find(req: RoutedRequest): Match | undefined {
    if (req.match === undefined) {
      req.match = this.#walk(req.path, req.method.toLowerCase()) ?? null;
    }
    return req.match ?? undefined;
  }

  #walk(path: string, method: string): Match | undefined {
    const root = this.apiRoot === '/' ? '' : this.apiRoot;
    if (!path.startsWith(`${root}/`)) return undefined;
    const known: Match[] = [];
    const segments = path.slice(root.length + 1).split('/');
    return findMatch({ segments, method, known }, this.#root, [], 0) ?? anyOf(known);
  }
}

interface Search {
  readonly segments: readonly string[];
  /** In lower case. */
  readonly method: string;
  /** The templates of the path that were found, but do not have the method. */
  readonly known: Match[];
}

/**
 * The template of a path that has the method. At each segment, the fixed one is tried first, and then the parameter: an
 * identifier can be the same word as a fixed segment, such as the code `cancel`.
 */
function findMatch(
  search: Search,
  node: TrieNode,
  values: readonly string[],
  depth: number,
): Match | undefined {
  const segment = search.segments[depth];
  if (segment === undefined) {
    const { methods } = node;
    if (methods.has(search.method)) return { methods, values };
    if (methods.size > 0) search.known.push({ methods, values });
    return undefined;
  }
  const fixed = node.children.get(segment);
  const match = fixed && findMatch(search, fixed, values, depth + 1);
  if (match !== undefined || node.parameter === undefined) return match;
  return findMatch(search, node.parameter, [...values, segment], depth + 1);
}

/** The methods of all templates of a path, to name them in an answer. Undefined for an unknown path. */
function anyOf(known: readonly Match[]): Match | undefined {
  const [first] = known;
  return first && { ...first, methods: new Map(known.flatMap(({ methods }) => [...methods])) };
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
