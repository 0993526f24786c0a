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

/** Keywords of which it cannot be told whether the new one allows more or less; that one of them is gone can be. */
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
 * What these say depends on others, so that one that is gone may refuse more: of a condition on its parts, of the rest
 * on what is left to `additionalProperties` and to `items`.
 */
const DEPENDENT = ['if', 'then', 'else', 'patternProperties', 'prefixItems'];

export interface Side {
  readonly document: Document;
  readonly schema: Node;
}

/** Compares what two schemas say of size and form. */
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
    if (direction === 'request' && isTighter) report('bound-tightened', where, said(name, was, is));
    if (direction === 'answer' && !isTighter) report('bound-loosened', where, said(name, was, is));
  }

  function compareRule(name: string): void {
    const was = before.document.written(before.schema[name], name);
    const is = after.document.written(after.schema[name], name);
    if (was === is) return;
    // A request that is relieved of a rule, and an answer that takes one on, break nobody.
    const isHarmless =
      !DEPENDENT.includes(name) &&
      (direction === 'request'
        ? after.schema[name] === undefined && !isClosedByParts(after.schema)
        : before.schema[name] === undefined);
    if (!isHarmless) report('rule-changed', where, said(name, ...excerptsOf(was, is)));
  }
}

/** A bound that is not there lets everything through; nothing is shorter than 0. */
function limit(name: string, value: unknown, sign: 1 | -1): number {
  if (typeof value === 'number') return value;
  return /^min[A-Z]/.test(name) ? 0 : sign * Number.POSITIVE_INFINITY;
}

function said(name: string, was: unknown, is: unknown): string {
  return `${name} ${was ?? 'none'} → ${is ?? 'none'}`;
}
