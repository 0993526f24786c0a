/** A part of a statement. Comments and white space are left out; parentheses and their content are one group. */
export type Token =
  /** A keyword or a name, in lower case and without quotes. A qualified name (`m.slot`) is one word. */
  | { readonly kind: 'word'; readonly text: string }
  /** `:name` */
  | { readonly kind: 'parameter'; readonly name: string }
  /** `{scope}`, `{scope:alias}`, `{slot}` or `{slot:alias}` */
  | { readonly kind: 'scope'; readonly covers: 'scope' | 'slot'; readonly alias: string | undefined }
  | { readonly kind: 'group'; readonly tokens: readonly Token[] }
  /** Anything else: an operator, a number, a string. */
  | { readonly kind: 'symbol'; readonly text: string };

const PIECE = new RegExp(
  [
    String.raw`(?<skipped>\s+|--[^\n]*|/\*[\s\S]*?\*/)`,
    `(?<literal>'(?:[^']|'')*')`,
    String.raw`\{(?<covers>scope|slot)(?::(?<alias>[a-z_][a-z0-9_]*))?\}`,
    '(?<cast>::)',
    ':(?<parameter>[a-z_][a-z0-9_]*)',
    String.raw`(?<word>(?:[a-z_]\w*|"[^"]*")(?:\.(?:[a-z_]\w*|"[^"]*"|\*))*)`,
    String.raw`(?<symbol>[\s\S])`,
  ].join('|'),
  'gi',
);

/**
 * Splits a statement of this project into tokens.
 * @throws Error when its parentheses do not match
 */
export function tokensOf(sql: string): readonly Token[] {
  const open: Token[][] = [[]];
  for (const { groups = {} } of sql.matchAll(PIECE)) {
    const { covers, alias, parameter, word, symbol } = groups;
    const current = open.at(-1)!;
    if (symbol === '(') {
      const tokens: Token[] = [];
      current.push({ kind: 'group', tokens });
      open.push(tokens);
    } else if (symbol === ')') {
      open.pop();
      if (open.length === 0) break;
    } else if (word !== undefined) {
      current.push({ kind: 'word', text: word.toLowerCase().replaceAll('"', '') });
    } else if (parameter !== undefined) {
      current.push({ kind: 'parameter', name: parameter });
    } else if (covers !== undefined) {
      current.push({ kind: 'scope', covers: covers as 'scope' | 'slot', alias });
    } else if (groups.skipped === undefined) {
      current.push({ kind: 'symbol', text: symbol ?? groups.cast ?? groups.literal! });
    }
  }
  if (open.length !== 1) throw new Error(`The parentheses of a statement do not match: ${sql}`);
  return open[0]!;
}

/** Whether the token is one of these words. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}

export function isComma(token: Token | undefined): boolean {
  return token?.kind === 'symbol' && token.text === ',';
}
