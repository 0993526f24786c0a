/** Generates invalid bodies from the contract: every field can get every kind of wrong value. */
import { loadContract } from '../../../handlers/http/load-contract.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Json } from '../service.ts';

type Node = { readonly [key: string]: unknown };

/** A field of a request body. The first item represents all items of a list. */
export interface BodyField {
  readonly path: readonly string[];
  readonly schema: Node;
}

const { document, operations } = loadContract();

/** All fields that the contract gives to the body of an operation, those inside of others too. */
export function fieldsOfBody(operationId: string): BodyField[] {
  const { path, method } = operations.get(operationId)!;
  const operation = ((document.paths as Node)[path] as Node)[method] as Node;
  const { content } = resolve(operation.requestBody as Node) as { content: Node };
  return fieldsOf(resolve((content['application/json'] as Node).schema as Node), []);
}

function fieldsOf(schema: Node, path: readonly string[]): BodyField[] {
  const branches = [schema.allOf, schema.anyOf, schema.oneOf].flat().filter((branch) => branch !== undefined);
  const children: [string, Node][] = Object.entries((schema.properties ?? {}) as Record<string, Node>);
  if (schema.items !== undefined) children.push(['0', schema.items as Node]);
  return [
    ...branches.flatMap((branch) => fieldsOf(resolve(branch as Node), path)),
    ...children.flatMap(([name, child]) => {
      const field = { path: [...path, name], schema: resolve(child) };
      return [field, ...fieldsOf(field.schema, field.path)];
    }),
  ];
}

function resolve(node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = document;
  for (const part of node.$ref.slice(2).split('/')) target = (target as Node)[part];
  return resolve(target as Node);
}

const ODD: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  true,
  [],
  {},
  [[[]]],
  'x'.repeat(3_000),
  'a\u0000b',
  '\ud800',
  '\u202e<script>alert(1)</script>',
  "'; drop table subscriptions; --",
  '__proto__',
];
const DATES = [
  '2027-02-29',
  '2028-02-29',
  '0001-01-01',
  '9999-12-31',
  '9999-12-31T23:59:59.999999Z',
  '2024-02-30',
  '2020-01-01',
  '2026-13-01',
  '2031-11-01T00:00:00+14:00',
  '2026-12-31T23:59:60Z',
  'tomorrow',
  '+12026-01-01',
];
const URLS = [
  'http://example.com',
  'javascript:alert(1)',
  'https://localhost/',
  'https://[::1]/',
  'https://',
];
const UUIDS = [
  '00000000-0000-0000-0000-000000000000',
  '{01a1ff1f-49b8-74d4-b96f-58da6d4a8512}',
  'urn:uuid:1',
];
/** Names of fields that the contract does not have. */
export const UNKNOWN_NAMES = ['__proto__', 'constructor', 'merchant_id', 'status', '', 'a\u0000', 'toString'];

/** A body, and the changes that made it hostile. */
export interface HostileBody {
  readonly body: Json;
  readonly changes: string;
}

/** Makes hostile bodies of an operation from valid ones. `foreignIds`: ids of objects of another merchant. */
export class HostileBodies {
  readonly #random: SeededRandom;
  readonly #fields: readonly BodyField[];
  readonly #foreignIds: readonly string[];

  constructor(random: SeededRandom, operationId: string, foreignIds: readonly string[]) {
    this.#random = random;
    this.#fields = fieldsOfBody(operationId);
    this.#foreignIds = foreignIds;
  }

  /** A valid body with one to three changes. */
  next(valid: Json): HostileBody {
    const body = structuredClone(valid);
    const changes: string[] = [];
    for (let left = this.#random.integer(1, 3); left > 0; left -= 1) changes.push(this.#change(body));
    return { body, changes: changes.join('; ') };
  }

  #change(body: Json): string {
    const { path, schema } = this.#random.pick(this.#fields);
    const name = path.join('.');
    if (this.#random.oneIn(8)) {
      remove(body, path);
      return `without ${name}`;
    }
    if (this.#random.oneIn(12)) {
      const unknown = this.#random.pick(UNKNOWN_NAMES);
      set(body, [...path.slice(0, -1), unknown], 'x');
      return `${[...path.slice(0, -1), unknown].join('.')} is unknown`;
    }
    const value = this.#random.pick(this.#valuesOf(schema));
    set(body, path, value);
    return `${name} = ${JSON.stringify(value)?.slice(0, 60)}`;
  }

  /** Values at and beyond the limits of a field, and values of another type. */
  #valuesOf(schema: Node): readonly unknown[] {
    const values: unknown[] = [this.#random.pick(ODD)];
    if (Array.isArray(schema.enum)) values.push(...schema.enum, ...schema.enum);
    const { minimum, maximum, maxLength, maxItems, format } = schema as Record<string, number | undefined>;
    if (minimum !== undefined) values.push(minimum, minimum - 1);
    if (maximum !== undefined) values.push(maximum, maximum + 1);
    if (maxLength !== undefined && maxLength < 10_000)
      values.push('y'.repeat(maxLength), 'y'.repeat(maxLength + 1));
    if (maxItems !== undefined) values.push(Array(maxItems + 1).fill({}));
    if (String(format) === 'uuid') values.push(...UUIDS, ...this.#foreignIds);
    if (String(format) === 'uri') values.push(...URLS);
    if (JSON.stringify(schema).includes('"date')) values.push(...DATES);
    return values;
  }
}

function set(body: Json, path: readonly string[], value: unknown): void {
  const parent = parentOf(body, path, true);
  // An assignment to `__proto__` makes no field.
  Object.defineProperty(parent, path.at(-1)!, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function remove(body: Json, path: readonly string[]): void {
  const parent = parentOf(body, path, false);
  if (parent !== undefined) delete parent[path.at(-1)!];
}

/** The object or list that a path ends in. Makes what is missing on the way, and replaces what is no object. */
function parentOf(body: Json, path: readonly string[], isMade: boolean): Json {
  let node = body;
  for (const [at, name] of path.slice(0, -1).entries()) {
    const isObject = typeof node[name] === 'object' && node[name] !== null;
    if (!isObject && !isMade) return undefined;
    if (!isObject) node[name] = path[at + 1] === '0' ? [] : {};
    node = node[name];
  }
  return node;
}
