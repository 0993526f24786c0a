import { escapeHtml } from './html.ts';

const LINE_COMMENT = { hash: String.raw`(?<=^|\s)#.*`, slashes: String.raw`\/\/.*|\/\*[\s\S]*?\*\/` };
const DOUBLE = String.raw`"(?:\\.|[^"\\])*"`;
const SINGLE = String.raw`'(?:\\.|[^'\\])*'`;
const BACKTICK = '`(?:\\\\.|[^`\\\\])*`';

const WITH_HASH = grammar(LINE_COMMENT.hash, `${DOUBLE}|${SINGLE}`);
const WITH_SLASHES = grammar(LINE_COMMENT.slashes, `${DOUBLE}|${SINGLE}|${BACKTICK}`);
/** A single quote is a character or a lifetime there. */
const DOUBLE_ONLY = grammar(LINE_COMMENT.slashes, DOUBLE);

const GRAMMARS: Readonly<Record<string, RegExp>> = {
  sh: grammar(LINE_COMMENT.hash, String.raw`"(?:\\.|[^"\\])*"|'[^']*'`),
  python: WITH_HASH,
  js: WITH_SLASHES,
  ts: WITH_SLASHES,
  html: WITH_SLASHES,
  java: DOUBLE_ONLY,
  go: DOUBLE_ONLY,
  rust: DOUBLE_ONLY,
  // Values only: names are met, and stay as they are.
  json: new RegExp(`${DOUBLE}(?=\\s*:)|(?<text>${DOUBLE})`, 'g'),
};

/** A sample as HTML, with its comments and texts set apart. One of a language that is not known stays plain. */
export function highlight(text: string, language: string): string {
  const pattern = GRAMMARS[language];
  if (pattern === undefined) return escapeHtml(text);
  let html = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    if (kind === undefined) continue;
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function grammar(comment: string, text: string): RegExp {
  return new RegExp(`(?<comment>${comment})|(?<text>${text})`, 'gm');
}
