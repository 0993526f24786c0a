import { isNode, type Rule } from './context.ts';

/** Documentation, mock and contract tests all live on examples. */
export const mediaTypeExample: Rule = () => ({
  MediaType: (media, { report }) => {
    const count = isNode(media.examples) ? Object.keys(media.examples).length : 0;
    if (media.example === undefined && count === 0) report({ message: 'A media type needs an example.' });
  },
});

/** Without an example, tools fill a required parameter with nonsense. */
export const parameterExample: Rule = () => ({
  Parameter: (parameter, { report }) => {
    const wanted = parameter.required === true && ['path', 'query'].includes(String(parameter.in));
    if (wanted && parameter.example === undefined)
      report({ message: 'A required parameter needs an example.' });
  },
});
