import ts from 'typescript';
import type { Source } from './sources.ts';

/** A method and a path, a header, or a name with underscores, such as `next_cursor`. */
const WIRE =
  /\b(GET|POST|PUT|PATCH|DELETE) \/|\b(Idempotency-Key|Authorization|Retry-After)\b|\b[a-z]+(_[a-z]+)+\b/;

/** Sentences that name values of the domain which have underscores. */
const EXCUSED: Readonly<Record<string, string>> = {
  'services/sandbox/simulate-payment.ts': 'names the events that have a reason',
  'services/products/update-offer.ts': 'names the type of an offer',
};

/**
 * One sentence for each text of `domain/` and `services/` that names a part of a request: only `handlers/` know these
 * names. A text that names a field of a use case writes `{field}`. Logs and errors that no caller sees may name
 * anything.
 */
export function wireWords(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^(domain|services)\//.test(path) && !(path in EXCUSED))
    .flatMap(({ path, text }) => sentencesOf(text).map((sentence) => `${path}: ${sentence}`));
}

function sentencesOf(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isInternal(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (/\w \w/.test(node.text) && WIRE.test(node.text)) found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest));
  return found;
}

/** A call of the log, or an error without a refusal. */
function isInternal(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return ts.isIdentifier(node.expression) && node.expression.text === 'Error';
  return ts.isCallExpression(node) && /\blog\.(info|warn|error)$/.test(textOf(node.expression));
}

function textOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return `${textOf(node.expression)}.${node.name.text}`;
  return ts.isIdentifier(node) ? node.text : '';
}
