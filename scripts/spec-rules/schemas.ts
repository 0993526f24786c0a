import {
  type Context,
  fileName,
  isBranch,
  isNode,
  type Location,
  type Node,
  type Rule,
  referredName,
} from './context.ts';

const AMOUNT = /^amount(_(min|max))?$|_amount$/;

/** Amounts are integers in centavos, and their descriptions say so. */
export const amount: Rule = () => {
  const check = (
    name: string,
    schema: unknown,
    description: unknown,
    at: Context['location'],
    { report }: Context,
  ) => {
    if (!AMOUNT.test(name) || !isNode(schema)) return;
    if (![schema.type].flat().includes('integer') || schema.format !== 'int64') {
      report({ message: `The amount "${name}" must be an integer with format int64.`, location: at });
    }
    if (!/centavos/.test(String(description))) {
      report({ message: `The description of the amount "${name}" must say centavos.`, location: at });
    }
  };
  return {
    SchemaProperties: (properties, context) => {
      if (isBranch(context.location)) return;
      for (const [name, schema] of Object.entries(properties)) {
        check(name, schema, (schema as Node).description, context.location.child([name]), context);
      }
    },
    Parameter: (parameter, context) => {
      check(String(parameter.name), parameter.schema, parameter.description, context.location, context);
    },
  };
};

/** An integer without a format has 32 bits in four client languages. */
export const numberFormat: Rule = () => ({
  Schema: (schema, { report, location }) => {
    const types = [schema.type].flat();
    const isNumber = types.includes('integer') || types.includes('number');
    if (isNumber && !schema.format && !isBranch(location)) report({ message: 'A number needs a format.' });
  },
});

/** Bodies, list items, enums and nested objects have names. An anonymous one becomes `InlineObject1` in a client. */
export const named: Rule = () => ({
  MediaType: (media, { report, location }) => {
    if (!referredName(media.schema)) {
      report({ message: 'A body must be a $ref to a named schema.', location: location.child(['schema']) });
    }
  },
  Schema: (schema, { report, location }) => {
    const atRoot = location.pointer === '#/';
    const header = /\/(headers|parameters)\//.test(location.source.absoluteRef);
    // A list of enums in one file: each entry is referred to, and so has a name.
    const entry = /^#\/[A-Z]\w*$/.test(location.pointer);
    if (schema.enum && !atRoot && !entry && !header) report({ message: 'An enum needs a name of its own.' });
    if (schema.properties && schema.type === 'object' && !atRoot) {
      report({ message: 'An object needs its own schema file.' });
    }
    if (/^Nullable/.test(fileName(location)))
      report({ message: 'The name of a schema must not begin with Nullable.' });
  },
});

/** Restrictions of client generators: no inheritance, no field that is only null, a type beside each const. */
export const clientFriendly: Rule = () => ({
  Schema: (schema, { report }) => {
    if (schema.allOf) report({ message: 'allOf is not allowed: list the fields.' });
    if ('const' in schema && schema.type === undefined) report({ message: 'A const needs a type.' });
    if (schema.type === 'null' && !('description' in schema) && Object.keys(schema).length > 1) {
      report({ message: 'A null type must be alone in its branch of anyOf.' });
    }
    if ([schema.type].flat().includes('null') && schema.enum) {
      report({ message: 'A nullable enum must be anyOf of a $ref and null.' });
    }
  },
  SchemaProperties: (properties, { report, location }) => {
    for (const [name, property] of Object.entries(properties)) {
      if (isNode(property) && property.type === 'null') {
        report({ message: 'A field must not be only null.', location: location.child([name]) });
      }
    }
  },
});

/** Fields that a page passes on between a wallet and the service have the names that the wallet gives them. */
const OF_WALLETS = /\/(WalletSession(Validate|Data)?|WalletValidationUrl)\.yaml$/;

function isOfWallets({ source }: Location): boolean {
  return OF_WALLETS.test(source.absoluteRef);
}

/** Every schema and every field says what it is for; a field is snake_case. */
export const described: Rule = () => ({
  Schema: (schema, { report, location }) => {
    const isFile = location.pointer === '#/' && location.source.absoluteRef.includes('/schemas/');
    if (isFile && !schema.description) report({ message: 'The schema has no description.' });
    if (schema.type !== 'object' || !isNode(schema.properties)) return;
    for (const [name, property] of Object.entries(schema.properties)) {
      const at = location.child(['properties', name]);
      if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && !isOfWallets(location)) {
        report({ message: `The field "${name}" is not snake_case.`, location: at.key() });
      }
      if (!isNode(property) || (!referredName(property) && !property.description)) {
        report({ message: `The field "${name}" has no description.`, location: at });
      }
    }
  },
});
