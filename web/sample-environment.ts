import { toHtml } from './markdown.ts';

/** The variables of the samples. In a sandbox, site.js replaces these values by its address and demo key. */
const EXPORTS = ['export BASE_URL=http://127.0.0.1:3000/api/v1', 'export API_KEY=pay_test_…'];
const ENCRYPTION_KEY = 'export ENCRYPTION_KEY=…';

/** Instructions for the samples of a guide, as closed details in HTML. */
export function sampleEnvironment(options: { readonly encryptionKey: boolean }): string {
  const lines = options.encryptionKey ? [...EXPORTS, ENCRYPTION_KEY] : EXPORTS;
  const text = `The samples use the address and the key of your sandbox. Set them once in your shell:

\`\`\`text shell
${lines.join('\n')}
\`\`\`

Run the samples in order, because they use the results of earlier ones. The answers shown are parts of those of an empty
sandbox; \`…\` means any text. Codes and e-mail addresses are unique. To run a sample again, change them and each
\`Idempotency-Key\`, or [empty the sandbox](/docs/guides/testing#reset-the-sandbox).
`;
  return `<details class="environment"><summary>Before you run the samples</summary>\n${toHtml(text)}</details>`;
}
