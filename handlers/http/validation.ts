import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, type Operation, type Request, type ValidationResult } from 'openapi-backend';
import { isEmail } from '../../domain/email.ts';
import { isInstant } from '../../domain/iso-instant.ts';
import { isCalendarDate } from '../../domain/local-time.ts';
import { findUnstorableText } from '../../domain/text.ts';
import { addBusinessRules } from './business-rules.ts';

const instances = new Map<boolean, Ajv2020>();

/**
 * Returns the validator for request bodies or, with `coerce`, for parameters, which are strings. Both are shared,
 * because openapi-backend would create one per operation, which takes seconds.
 */
export function contractAjv(coerce: boolean): Ajv2020 {
  let ajv = instances.get(coerce);
  if (ajv === undefined) {
    const options: Options = {
      allErrors: true,
      strict: false,
      verbose: true,
      coerceTypes: coerce,
      ownProperties: true,
    };
    ajv = new Ajv2020(options);
    addFormats.default(ajv);
    // Takes linear time. A regular expression can take a second for some inputs.
    ajv.addFormat('email', { type: 'string', validate: isEmail });
    // The year 0000 is refused: Postgres does not have it.
    ajv.addFormat('date', { type: 'string', validate: isCalendarDate });
    // A leap second is refused, and an instant whose offset moves it out of the years 0001 to 9999: Date reads neither.
    ajv.addFormat('date-time', { type: 'string', validate: isInstant });
    addBusinessRules(ajv);
    instances.set(coerce, ajv);
  }
  return ajv;
}

/**
 * Copies the contract so that the items of a list are validated only if the list is not too long. Otherwise 5 KB of
 * `{}` blocked the event loop for half a second, and the answer had 600 KB.
 */
export function withBoundedLists<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withBoundedLists) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withBoundedLists(value)]),
  ) as Record<string, unknown>;
  const { maxItems, items, ...rest } = copy;
  if (typeof maxItems !== 'number' || items === undefined) return copy as Node;
  return { ...rest, maxItems, if: { minItems: maxItems + 1 }, else: { items } } as Node;
}

/** openapi-backend's validator for a request that is already parsed. The original would parse it a third time. */
export class ContractValidator extends OpenAPIValidator {
  override validateRequest(req: Request, operation?: Operation | string): ValidationResult {
    const matched = typeof operation === 'string' ? this.router.getOperation(operation) : operation;
    if (matched?.operationId === undefined) throw new Error('The operation is not known.');
    const { params, query, headers } = this.router.parseRequest(req, matched);
    const parts: Record<string, unknown> = { path: params, query, header: headers };
    if (req.body !== undefined) parts.requestBody = req.body;
    const errors = unstorable(query);
    const asSent = { ...query };
    for (const validate of this.getRequestValidatorsForOperation(matched.operationId) ?? []) {
      if (!validate(parts)) errors.push(...(validate.errors ?? []));
    }
    errors.push(...notDecimal(asSent, query));
    const coerced = { ...req, query: parts.query as Record<string, string>, params: parts.path };
    return { valid: errors.length === 0, errors: errors.length === 0 ? null : errors, coerced };
  }
}

/** Finds numbers that were not written as decimals: `0x10`, `1e1` and ` 5` are integers to JavaScript. */
function notDecimal(asSent: object, coerced: object): ErrorObject[] {
  const sent = new Map<string, unknown>(Object.entries(asSent));
  return Object.entries(coerced)
    .filter(([name, value]) => typeof value === 'number' && !/^-?[0-9]+$/.test(String(sent.get(name))))
    .map(([name]) => ({
      keyword: 'type',
      instancePath: instancePath(name),
      schemaPath: '',
      params: { type: 'integer' },
    }));
}

function instancePath(name: string): string {
  return `/query/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Finds text that no column can store, one error per parameter. Bodies are checked when they are read. */
function unstorable(query: object): ErrorObject[] {
  return Object.entries(query)
    .filter(([, value]) => findUnstorableText(value).length > 0)
    .map(([name]) => ({
      keyword: 'x-rule',
      instancePath: instancePath(name),
      schemaPath: '',
      params: {},
      message: 'Must not contain NUL characters.',
    }));
}
