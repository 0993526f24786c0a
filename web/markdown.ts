import { Marked, type Tokens } from 'marked';
import { highlight } from './highlight.ts';
import { tableHtml } from './html.ts';

/** Names of the languages of samples, as readers see them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  html: 'HTML',
  json: 'JSON',
  http: 'HTTP',
  ts: 'TypeScript',
  php: 'PHP',
  python: 'Python',
  java: 'Java',
  go: 'Go',
  rust: 'Rust',
};

const marked = new Marked({ gfm: true, async: false }).use({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = slugOf(text);
      const anchor =
        depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this chapter">#</a>`;
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
    },
    code({ text, lang }) {
      return codeHtml(text, lang ?? '');
    },
    table(token: Tokens.Table) {
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens));
      return tableHtml(cells(token.header), token.rows.map(cells));
    },
  },
});

/** Renders GitHub Flavored Markdown. HTML in it is not escaped, because the text is the project's own. */
export function toHtml(markdown: string): string {
  return marked.parse(markdown) as string;
}

/** A sample with its language and a copy button. `info` is the text after the fence, such as `sh status=422`. */
function codeHtml(text: string, info: string): string {
  const language = info.split(' ')[0] ?? '';
  const shown = /^text (shell|commands)/.test(info) ? 'sh' : language;
  const label = LANGUAGES[shown] ?? 'Text';
  const button =
    language === '' || language === 'json' ? '' : '<button type="button" class="copy">Copy</button>';
  const head = `<div class="code-head"><span>${label}</span>${button}</div>`;
  const pre = `<pre tabindex="0" role="region" aria-label="${label} sample"><code>${highlight(text, shown)}</code></pre>`;
  return `<div class="code">${head}${pre}</div>\n`;
}

/** The anchor of a heading. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
