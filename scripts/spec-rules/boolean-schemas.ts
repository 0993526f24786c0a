import { type Context, isNode, type Location, type Node, type Rule } from './context.ts';

const HOLDS_ONE = [
  'additionalItems',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
];
const HOLDS_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const HOLDS_NAMED = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * No schema is `true` or `false`, as client generators such as oapi-codegen and orval's zod fail on those. Only
 * `additionalProperties` and `unevaluatedProperties` may be booleans, which every generator supports.
 */
export const noBooleanSchema: Rule = () => ({
  Schema: (schema, context) => {
    for (const keyword of HOLDS_ONE) check(schema[keyword], context.location.child([keyword]), context);
    for (const keyword of [...HOLDS_LIST, ...HOLDS_NAMED]) {
      checkAll(schema[keyword], context.location.child([keyword]), context);
    }
  },
  NamedSchemas: (schemas, context) => checkAll(schemas, context.location, context),
  MediaType: ({ schema }, context) => check(schema, context.location.child(['schema']), context),
  Parameter: ({ schema }, context) => check(schema, context.location.child(['schema']), context),
  Header: ({ schema }, context) => check(schema, context.location.child(['schema']), context),
});

function checkAll(holder: unknown, at: Location, context: Context): void {
  if (!isNode(holder) && !Array.isArray(holder)) return;
  for (const [key, schema] of Object.entries(holder as Node)) check(schema, at.child([key]), context);
}

function check(schema: unknown, location: Location, { report }: Context): void {
  if (typeof schema !== 'boolean') return;
  const form = schema ? '`{}`' : '`{not: {}}`';
  report({ message: `A schema must not be ${schema}: write ${form}.`, location });
}
