import type { Report } from './change.ts';
import type { Document, Node } from './document.ts';
import { excerptsOf } from './excerpt.ts';
import { isClosedByParts } from './keywords.ts';

export type Direction = 'request' | 'answer';

const UPPER = [
  'maxLength',
  'maximum',
  'exclusiveMaximum',
  'maxItems',
  'maxProperties',
  'maxContains',
] as const;
const LOWER = [
  'minLength',
  'minimum',
  'exclusiveMinimum',
  'minItems',
  'minProperties',
  'minContains',
] as const;

/**
 * Keywords whose values cannot be compared: a changed one may allow more or less. Only a removed one is known to allow
 * more.
 */
const RULES = [
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
  'multipleOf',
  'uniqueItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'patternProperties',
  'prefixItems',
  'discriminator',
  'x-rule',
] as const;

/**
 * Keywords that other keywords depend on, so removing one may refuse more: parts of a condition depend on each other,
 * and `additionalProperties` and `items` apply to what the rest leaves.
 */
const DEPENDENT = ['if', 'then', 'else', 'patternProperties', 'prefixItems'];

export interface Side {
  readonly document: Document;
  readonly schema: Node;
}

/** Compares the size and form that two schemas allow. */
export function compareBounds(
  before: Side,
  after: Side,
  direction: Direction,
  where: string,
  report: Report,
): void {
  for (const name of UPPER) compareBound(name, 1);
  for (const name of LOWER) compareBound(name, -1);
  for (const name of RULES) compareRule(name);

  function compareBound(name: string, sign: 1 | -1): void {
    const [was, is] = [before.schema[name], after.schema[name]];
    if (was === is) return;
    const [old, now] = [sign * limit(name, was, sign), sign * limit(name, is, sign)];
    if (old === now) return;
    const isTighter = now < old;
    if (direction === 'request' && isTighter) report('bound-tightened', where, changeOf(name, was, is));
    if (direction === 'answer' && !isTighter) report('bound-loosened', where, changeOf(name, was, is));
  }

  function compareRule(name: string): void {
    const was = before.document.written(before.schema[name], name);
    const is = after.document.written(after.schema[name], name);
    if (was === is) return;
    // A request that loses a rule, and an answer that gains one, break no client.
    const isHarmless =
      !DEPENDENT.includes(name) &&
      (direction === 'request'
        ? after.schema[name] === undefined && !isClosedByParts(after.schema)
        : before.schema[name] === undefined);
    if (!isHarmless) report('rule-changed', where, changeOf(name, ...excerptsOf(was, is)));
  }
}

/** A missing bound allows everything. No length is less than 0. */
function limit(name: string, value: unknown, sign: 1 | -1): number {
  if (typeof value === 'number') return value;
  return /^min[A-Z]/.test(name) ? 0 : sign * Number.POSITIVE_INFINITY;
}

function changeOf(name: string, was: unknown, is: unknown): string {
  return `${name} ${was ?? 'none'} → ${is ?? 'none'}`;
}
