/** A string, a quoted name, a comment and a dollar-quoted body may contain a semicolon that ends no statement. */
const PIECE =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$|(?<end>;)|[\s\S]/g;
const IS_COMMENT = /^(--|\/\*)/;

/** The statements of a script, each with the comments before it and without its semicolon. */
export function splitStatements(script: string): readonly string[] {
  const statements: string[] = [];
  let statement = '';
  let isEmpty = true;
  const end = () => {
    if (!isEmpty) statements.push(statement.trim());
    statement = '';
    isEmpty = true;
  };
  for (const piece of script.matchAll(PIECE)) {
    if (piece.groups?.end !== undefined) {
      end();
      continue;
    }
    statement += piece[0];
    if (/\S/.test(piece[0]) && !IS_COMMENT.test(piece[0])) isEmpty = false;
  }
  end();
  return statements;
}
