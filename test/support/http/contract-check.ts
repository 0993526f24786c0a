import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { withClosedObjects } from '../../../scripts/contract/closed-objects.ts';

/**
 * Checks answers against the bundled contract, by a validator that is independent of the server's. A field that the
 * contract does not have is a fault, although the published contract allows it.
 */
const { document: published, operations } = loadContract();
const document = withClosedObjects(published);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'contract');
/** Headers are text: `42` is an integer there. */
const headerAjv = new Ajv2020({ strict: false, coerceTypes: true });
addFormats.default(headerAjv);
const headerValidators = new Map<object, ValidateFunction>();
const validators = new Map<string, ValidateFunction>();

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type AnswerListener = (operationId: string, status: number, body: unknown) => void;
const listeners = new Set<AnswerListener>();

/** Calls the listener with each answer from now on that the contract describes. */
export function onAnswer(listener: AnswerListener): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => listeners.delete(listener) };
}

/** Fails unless the answer is one that the contract describes for this method and path (below `/api/v1`). */
export function assertInContract(method: string, path: string, answer: Answer): void {
  const operation = operationAt(method, path);
  if (operation === undefined) {
    assert.ok(answer.status === 404 || answer.status === 405, `${method} ${path} is not in the contract`);
    return;
  }
  const item = (document.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>)[
    operation.path
  ]!;
  const response = resolve(item[operation.method]!.responses[String(answer.status)]);
  assert.ok(
    response,
    `${operation.operationId} answered ${answer.status}, which the contract does not describe: ${JSON.stringify(answer.body)}`,
  );
  assertHeaders(operation.operationId, response, answer);
  const schema = (response.content as Record<string, { schema: object }> | undefined)?.['application/json']
    ?.schema;
  if (schema === undefined) {
    assert.equal(
      answer.body,
      undefined,
      `${operation.operationId} ${answer.status} has no body in the contract`,
    );
    notify();
    return;
  }
  assert.match(
    answer.headers.get('content-type') ?? '',
    /^application\/json(; charset=utf-8)?$/,
    `${operation.operationId} ${answer.status} has another content type than the contract`,
  );
  const validate = validatorOf(`${operation.operationId} ${answer.status}`, schema);
  assert.ok(
    validate(answer.body),
    `${operation.operationId} ${answer.status} does not fit the contract: ${faultsOf(validate)}\n${JSON.stringify(answer.body)}`,
  );
  notify();

  function notify(): void {
    for (const listener of listeners) listener(operation!.operationId, answer.status, answer.body);
  }
}

/** Why the contract does not describe the answer. Null when it does. */
export function faultInContract(method: string, path: string, answer: Answer): string | null {
  try {
    assertInContract(method, path, answer);
    return null;
  } catch (error) {
    if (error instanceof assert.AssertionError) return error.message;
    throw error;
  }
}

/** `/payment must NOT have additional properties: risk, /amount must be integer` */
function faultsOf({ errors }: ValidateFunction): string {
  const faults = (errors ?? []).map(({ instancePath, message, params }) => {
    const field = params.additionalProperty === undefined ? '' : `: ${params.additionalProperty}`;
    return `${instancePath || 'the body'} ${message}${field}`;
  });
  return faults.join(', ');
}

function assertHeaders(operationId: string, response: Record<string, unknown>, answer: Answer): void {
  for (const [name, header] of Object.entries((response.headers ?? {}) as Record<string, unknown>)) {
    const { required, schema } = resolve(header) as { required?: boolean; schema: object };
    const value = answer.headers.get(name);
    if (required === true)
      assert.ok(value !== null, `${operationId} ${answer.status} lacks the header ${name}`);
    if (value === null) continue;
    assert.ok(
      headerValidatorOf(schema)({ value }),
      `${operationId} ${answer.status} has the header ${name}: ${value}`,
    );
  }
}

/** Each schema is compiled once. The check of all answers took a fifth longer otherwise. */
function headerValidatorOf(schema: object): ValidateFunction {
  let validate = headerValidators.get(schema);
  if (validate === undefined) {
    validate = headerAjv.compile({ type: 'object', properties: { value: schema } });
    headerValidators.set(schema, validate);
  }
  return validate;
}

function validatorOf(key: string, schema: object): ValidateFunction {
  let validate = validators.get(key);
  if (validate === undefined) {
    validate = ajv.compile(rebase(schema) as object);
    validators.set(key, validate);
  }
  return validate;
}

/** Makes local references point into the registered document. */
function rebase(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rebase);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? `contract${value}`
        : rebase(value),
    ]),
  );
}

function resolve(node: unknown): Record<string, unknown> | undefined {
  const ref = (node as { $ref?: string } | undefined)?.$ref;
  if (ref === undefined) return node as Record<string, unknown> | undefined;
  let target: unknown = document;
  for (const part of ref.slice(2).split('/')) target = (target as Record<string, unknown>)[part];
  return target as Record<string, unknown>;
}

/** Every operation with the paths that it matches, those with the fewest parameters first. */
const patterns = [...operations.values()]
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, '[^/]*')}$`),
  }));

/** The operation of a request to this path (below `/api/v1`). Undefined where the contract has none. */
export function operationAt(method: string, path: string) {
  const pathname = path.split('?')[0]!;
  return patterns.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(pathname),
  )?.operation;
}
