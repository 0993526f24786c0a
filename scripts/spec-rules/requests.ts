import { type Context, fileName, isBranch, isNode, type Location, type Node, type Rule } from './context.ts';

/** Schemas for the merchant's own data. Their keys are limited by propertyNames and maxProperties. */
const ANY_KEYS = ['Metadata', 'MetadataUpdate'];
/**
 * Fields without a maximum length: an encrypted text that is too long gets the same 400 as any other text that cannot
 * be decrypted.
 */
const ANY_LENGTH = ['encrypted'];

/** Requests refuse unknown fields, so that a misspelled one is noticed. */
export const closedRequest: Rule = onRequestSchemas((schema, location) => {
  if (schema.type !== 'object' || ANY_KEYS.includes(fileName(location))) return null;
  if (schema.additionalProperties === false || schema.unevaluatedProperties === false) return null;
  return 'An object in a request needs additionalProperties: false.';
});

/** Every text in a request has a maximum length. */
export const boundedText: Rule = onRequestSchemas((schema, location) => {
  if (![schema.type].flat().includes('string') || isBounded(schema)) return null;
  if (ANY_LENGTH.some((name) => location.pointer.endsWith(`/${name}`)) || isBranch(location)) return null;
  return 'A text in a request needs a maxLength, a bounded pattern, a format or an enum.';
});

/** People read the message instead of the pattern. */
export const patternMessage: Rule = onRequestSchemas((schema) => {
  if (schema.pattern === undefined || typeof schema['x-pattern-message'] === 'string') return null;
  return 'A pattern in a request needs an x-pattern-message.';
});

function isBounded(schema: Node): boolean {
  const closed = typeof schema.pattern === 'string' && /^\^[^*+]*\$$/.test(schema.pattern.replace('\\+', ''));
  const format = ['date', 'date-time', 'uuid'].includes(String(schema.format));
  return schema.maxLength !== undefined || schema.enum !== undefined || 'const' in schema || closed || format;
}

/**
 * A rule for every schema of a request body, each checked once. (A visitor nested in RequestBody only visits the
 * outermost schema.) `check` returns what is wrong, or null.
 */
function onRequestSchemas(check: (schema: Node, location: Location) => string | null): Rule {
  return () => {
    const seen = new Set<string>();
    return {
      Paths: {
        RequestBody: {
          MediaType: (media, context) => {
            visit(media.schema, context.location.child(['schema']), context);
          },
        },
      },
    };

    function visit(raw: unknown, at: Location, context: Context): void {
      const target = context.resolve(raw, at.source.absoluteRef);
      const location = isNode(raw) && raw.$ref !== undefined ? (target.location ?? at) : at;
      const id = location.source.absoluteRef + location.pointer;
      if (!isNode(target.node) || seen.has(id)) return;
      seen.add(id);
      const message = check(target.node, location);
      if (message !== null) context.report({ message, location });
      for (const path of childPaths(target.node)) {
        visit(valueAt(target.node, path), location.child(path), context);
      }
    }
  };
}

function childPaths(schema: Node): string[][] {
  const single = ['items', 'if', 'then', 'else', 'additionalProperties', 'propertyNames'];
  const paths = single.filter((key) => isNode(schema[key])).map((key) => [key]);
  for (const key of ['properties', 'anyOf', 'oneOf']) {
    paths.push(...Object.keys((schema[key] as object | undefined) ?? {}).map((name) => [key, name]));
  }
  return paths;
}

function valueAt(node: Node, path: string[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Node)[key], node);
}
