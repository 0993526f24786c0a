import { type Context, isNode, type Location, type Node, type Rule } from './context.ts';

const SCHEMA_KEYWORDS = [
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
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMA_MAP_KEYWORDS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * No schema is `true` or `false`, as client generators such as oapi-codegen and orval's zod fail on those. Only
 * `additionalProperties` and `unevaluatedProperties` may be booleans, which every generator supports.
 */
export const noBooleanSchema: Rule = () => ({
  Schema: (schema, context) => {
    for (const keyword of SCHEMA_KEYWORDS) check(schema[keyword], context.location.child([keyword]), context);
    for (const keyword of [...SCHEMA_LIST_KEYWORDS, ...SCHEMA_MAP_KEYWORDS]) {
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
