import { toHtml } from './markdown.ts';

/** What samples find in the shell. A sandbox's page puts its own address and demo key in place of these (site.js). */
const EXPORTS = ['export BASE_URL=http://127.0.0.1:3000/api/v1', 'export API_KEY=pay_test_…'];
const ENCRYPTION_KEY = 'export ENCRYPTION_KEY=…';

/** What a guide needs to know before its samples are pasted, folded away: HTML. */
export function sampleEnvironment(options: { readonly encryptionKey: boolean }): string {
  const lines = options.encryptionKey ? [...EXPORTS, ENCRYPTION_KEY] : EXPORTS;
  const text = `The samples use the address and the key of your sandbox. Put them into your shell once:

\`\`\`text shell
${lines.join('\n')}
\`\`\`

Run the samples in order: later ones use what earlier ones left. The answers shown are a part of the whole, as an empty
sandbox gives it; \`…\` stands for any text. References and e-mail addresses are unique, so to paste a sample a second
time, change them, and each \`Idempotency-Key\` with them, or [empty the sandbox](/docs/guides/testing#start-anew).
`;
  return `<details class="environment"><summary>Before you paste the samples</summary>\n${toHtml(text)}</details>`;
}
