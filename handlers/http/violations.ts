import type { ErrorObject } from 'ajv';
import { shownFieldName, shownFieldPath } from '../../domain/field-names.ts';
import { type Choice, choiceOf, forbids } from './choices.ts';
import { type HttpRefusal, invalidRequest, MAX_VIOLATIONS } from './refusal.ts';

/** Errors that only say that a branch failed. The errors of the branch say why. */
const STRUCTURAL = new Set(['if', 'allOf', 'anyOf', 'not']);

/** Formats of numbers. Their errors are duplicates of errors of type or range. */
const SIZES = new Set<unknown>(['int32', 'int64']);

/**
 * The maximum of errors of the validator that are translated. It finds 9,000 in a millisecond, and translating all of
 * them took twelve. Several can have the same sentence for one field, so this is more than the number of listed
 * violations.
 */
const MAX_ERRORS = 3 * MAX_VIOLATIONS;

/**
 * Translates the validator's errors: the first 100 violations, each under the dotted path of its field, as a sentence
 * without the value.
 */
export function violationsRefusal(errors: readonly ErrorObject[]): HttpRefusal {
  const fields = new Map<string, Set<string>>();
  const named = errors.filter((error) => !isStructural(error) && !SIZES.has(error.params.format));
  for (const error of (named.length > 0 ? named : errors).slice(0, MAX_ERRORS)) {
    const path = fieldPath(error);
    const sentences = fields.get(path) ?? new Set();
    sentences.add(sentence(error));
    fields.set(path, sentences);
  }
  return invalidRequest(Object.fromEntries([...fields].map(([path, sentences]) => [path, [...sentences]])));
}

function isStructural(error: ErrorObject): boolean {
  return STRUCTURAL.has(error.keyword) && !forbidsField(error);
}

/** Whether the field must be absent. Needs the validator's `verbose` option, which adds the schema to the error. */
function forbidsField({ keyword, parentSchema }: ErrorObject): boolean {
  return keyword === 'not' && forbids(parentSchema);
}

/** `/requestBody/cycles/1/start` → `cycles.1.start`; the path of a parameter is its name. */
function fieldPath(error: ErrorObject): string {
  const [place, segments] = placeOf(error);
  const property = addedProperty(error);
  const path = [...segments, ...(property === undefined ? [] : [property])];
  if (place === 'header' && path.length > 0) return headerName(path[0]!);
  if (path.length > 0 && !(place === '' && path.length === 1)) return shownFieldPath(path);
  return place === '' && property !== undefined && property !== 'requestBody'
    ? shownFieldName(property)
    : 'body';
}

/** The part of the request of an error, and the path in it. */
function placeOf({ instancePath }: ErrorObject): [place: string, names: readonly string[]] {
  const [, place = '', ...names] = instancePath.split('/').map(unescapePointer);
  return [place, names];
}

/** The name with initial capitals. Node has header names in lower case. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (initial) => initial.toUpperCase());
}

function addedProperty(error: ErrorObject): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = error.params as Record<
    string,
    string | undefined
  >;
  return missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName ?? error.propertyName;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMAT_SENTENCES: Readonly<Record<string, string>> = {
  email: 'Must be a valid e-mail address.',
  uuid: 'Must be a UUID.',
  date: 'Must be a date that exists, as YYYY-MM-DD.',
  'date-time': 'Must be an ISO 8601 date and time with its offset.',
  uri: 'Must be a URL.',
};

function sentence(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return requiredSentence(error);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'This field is not known.';
    case 'type':
      return `Must be ${typeList(params.type)}${unitOf(error)}.`;
    case 'enum':
      return `Must be one of: ${(params.allowedValues as unknown[]).map(String).join(', ')}.`;
    case 'const':
      return `Must be ${String(params.allowedValue)}.`;
    case 'format':
      return FORMAT_SENTENCES[String(params.format)] ?? `Must have the format ${String(params.format)}.`;
    case 'pattern':
      return patternSentence(error);
    case 'minLength':
      return params.limit === 1 ? 'Must not be empty.' : `Must have at least ${params.limit} characters.`;
    case 'maxLength':
      return `Must have at most ${params.limit} characters.`;
    case 'minimum':
      return `Must be at least ${params.limit}.`;
    case 'maximum':
      return `Must be at most ${params.limit}.`;
    case 'minItems':
      return `Must have at least ${params.limit} item${params.limit === 1 ? '' : 's'}.`;
    case 'maxItems':
      return `Must have at most ${params.limit} items.`;
    case 'maxProperties':
      return `Must have at most ${params.limit} keys.`;
    case 'minProperties':
      return `Must have at least ${params.limit} key${params.limit === 1 ? '' : 's'}.`;
    case 'not':
      return forbidsField(error) ? forbiddenSentence(error) : 'Is not valid.';
    case 'dependentRequired':
      return 'This field is required.';
    case 'x-rule':
      return error.message!;
    case 'propertyNames':
      return 'This key is not allowed.';
    case 'oneOf':
      return 'Must match exactly one of the forms that the contract describes.';
    default:
      return 'Is not valid.';
  }
}

function typeList(type: unknown): string {
  const names = Array.isArray(type) ? type : String(type).split(',');
  return names.map((name) => TYPE_NAMES[String(name)] ?? String(name)).join(' or ');
}

/** For a choice, names all its fields: "Send `to` or `days`." */
function requiredSentence(error: ErrorObject): string {
  const choice = choiceOf(error.parentSchema);
  if (choice === undefined) return 'This field is required.';
  const [, names] = placeOf(error);
  return `Send ${listOf(choice, names)}.`;
}

/** For a choice, names all its fields: "Send `to` or `days`, not both." */
function forbiddenSentence(error: ErrorObject): string {
  const choice = choiceOf(error.parentSchema);
  if (choice === undefined) return 'This field does not belong here.';
  const [, names] = placeOf(error);
  return `Send ${listOf(choice, names.slice(0, -1))}, not both.`;
}

/** The fields of a choice in the object with this path. */
function listOf(choice: Choice, path: readonly string[]): string {
  const sets = choice.map((set) => set.map((name) => `\`${shownFieldPath([...path, name])}\``).join(' and '));
  return sets.join(choice.every((set) => set.length === 1) ? ' or ' : ', or ');
}

/** In bodies, 64-bit integers are amounts. */
function unitOf(error: ErrorObject): string {
  const schema = error.parentSchema as { format?: string } | undefined;
  const isAmount = schema?.format === 'int64' && error.instancePath.startsWith('/requestBody/');
  return isAmount ? ', in centavos' : '';
}

/** The contract's `x-pattern-message`, or the pattern itself. */
function patternSentence(error: ErrorObject): string {
  const schema = error.parentSchema as { 'x-pattern-message'?: string } | undefined;
  return schema?.['x-pattern-message'] ?? `Must match the pattern ${String(error.params.pattern)}.`;
}
