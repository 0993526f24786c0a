import { type Context, fileName, isBranch, isNode, type Location, type Node, type Rule } from './context.ts';

/** Free keys and free length are allowed here, for the reason beside. */
const FREE_KEYS = ['Metadata', 'MetadataUpdate']; // the caller's own data, bounded by propertyNames and maxProperties
const FREE_LENGTH = ['encrypted']; // whatever its length, it fails as one and the same 400

/** An unknown field is refused, so that a misspelt one never goes unnoticed. */
export const closedRequest: Rule = onRequestSchemas((schema, location) => {
  if (schema.type !== 'object' || FREE_KEYS.includes(fileName(location))) return null;
  if (schema.additionalProperties === false || schema.unevaluatedProperties === false) return null;
  return 'An object in a request says additionalProperties: false.';
});

/** No text in a request may be endless. */
export const boundedText: Rule = onRequestSchemas((schema, location) => {
  if (![schema.type].flat().includes('string') || isBounded(schema)) return null;
  if (FREE_LENGTH.some((name) => location.pointer.endsWith(`/${name}`)) || isBranch(location)) return null;
  return 'A text in a request has a maxLength, a closed pattern, a format or an enum.';
});

/** A pattern is for machines; a person who broke it is told what it means. */
export const patternMessage: Rule = onRequestSchemas((schema) => {
  if (schema.pattern === undefined || typeof schema['x-pattern-message'] === 'string') return null;
  return 'A pattern in a request has an x-pattern-message.';
});

function isBounded(schema: Node): boolean {
  const closed = typeof schema.pattern === 'string' && /^\^[^*+]*\$$/.test(schema.pattern.replace('\\+', ''));
  const format = ['date', 'date-time', 'uuid'].includes(String(schema.format));
  return schema.maxLength !== undefined || schema.enum !== undefined || 'const' in schema || closed || format;
}

/**
 * A rule over every schema that a request body reaches, each once. (A visitor nested in RequestBody would see the
 * outermost schema only.) The check tells what is wrong, or null.
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
