import { escapeHtml } from './html.ts';

const LINE_COMMENT = { hash: String.raw`(?<=^|\s)#.*`, slashes: String.raw`\/\/.*|\/\*[\s\S]*?\*\/` };
const DOUBLE = String.raw`"(?:\\.|[^"\\])*"`;
const SINGLE = String.raw`'(?:\\.|[^'\\])*'`;
const BACKTICK = '`(?:\\\\.|[^`\\\\])*`';

const WITH_HASH = grammar(LINE_COMMENT.hash, `${DOUBLE}|${SINGLE}`);
const WITH_SLASHES = grammar(LINE_COMMENT.slashes, `${DOUBLE}|${SINGLE}|${BACKTICK}`);
/** For languages in which a single quote is not a string. */
const DOUBLE_ONLY = grammar(LINE_COMMENT.slashes, DOUBLE);

const GRAMMARS: Readonly<Record<string, RegExp>> = {
  sh: grammar(LINE_COMMENT.hash, String.raw`"(?:\\.|[^"\\])*"|'[^']*'`),
  python: WITH_HASH,
  js: WITH_SLASHES,
  ts: WITH_SLASHES,
  html: WITH_SLASHES,
  php: WITH_SLASHES,
  java: DOUBLE_ONLY,
  go: DOUBLE_ONLY,
  rust: DOUBLE_ONLY,
  // The first alternative skips names, so only values are highlighted.
  json: new RegExp(`${DOUBLE}(?=\\s*:)|(?<text>${DOUBLE})`, 'g'),
};

/** A sample as HTML, with comments and strings highlighted. Samples of unknown languages are not highlighted. */
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
