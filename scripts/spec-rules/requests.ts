import { fileName, isBranch, type Node, type Rule } from './context.ts';

/** Free keys and free length are allowed here, for the reason beside. */
const FREE_KEYS = ['Metadata', 'MetadataUpdate']; // the caller's own data, bounded by propertyNames and maxProperties
const FREE_LENGTH = ['encrypted']; // whatever its length, it fails as one and the same 400

/** An unknown field is refused, so that a misspelt one never goes unnoticed. */
export const closedRequest: Rule = () => ({
  Paths: {
    RequestBody: {
      Schema: (schema, { report, location }) => {
        if (schema.type !== 'object' || FREE_KEYS.includes(fileName(location))) return;
        if (schema.additionalProperties !== false && schema.unevaluatedProperties !== false) {
          report({ message: 'An object in a request says additionalProperties: false.' });
        }
      },
    },
  },
});

/** No text in a request may be endless. */
export const boundedText: Rule = () => ({
  Paths: {
    RequestBody: {
      Schema: (schema, context) => {
        if (![schema.type].flat().includes('string') || isBounded(schema)) return;
        if (FREE_LENGTH.includes(String(context.key)) || isBranch(context)) return;
        context.report({
          message: 'A text in a request has a maxLength, a closed pattern, a format or an enum.',
        });
      },
    },
  },
});

function isBounded(schema: Node): boolean {
  const closed = typeof schema.pattern === 'string' && /^\^[^*+]*\$$/.test(schema.pattern.replace('\\+', ''));
  const format = ['date', 'date-time', 'uuid'].includes(String(schema.format));
  return schema.maxLength !== undefined || schema.enum !== undefined || 'const' in schema || closed || format;
}

/** A pattern is for machines; a person who broke it is told what it means. */
export const patternMessage: Rule = () => ({
  Paths: {
    RequestBody: {
      Schema: (schema, { report }) => {
        if (schema.pattern === undefined || typeof schema['x-pattern-message'] === 'string') return;
        report({ message: 'A pattern in a request has an x-pattern-message.' });
      },
    },
  },
});
