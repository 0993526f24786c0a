import { isNode, type Rule } from './context.ts';

/** The docs, the mock and the contract tests use the examples. */
export const mediaTypeExample: Rule = () => ({
  MediaType: (media, { report }) => {
    const count = isNode(media.examples) ? Object.keys(media.examples).length : 0;
    if (media.example === undefined && count === 0) report({ message: 'A media type needs an example.' });
  },
});

/** Without an example, tools send an arbitrary value for a required parameter. */
export const parameterExample: Rule = () => ({
  Parameter: (parameter, { report }) => {
    const isRequired = parameter.required === true && ['path', 'query'].includes(String(parameter.in));
    if (isRequired && parameter.example === undefined)
      report({ message: 'A required parameter needs an example.' });
  },
});
