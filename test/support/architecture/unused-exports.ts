import { posix } from 'node:path';
import ts from 'typescript';
import type { Source } from './sources.ts';

/** Files whose exports are imported where no import names them. */
const EXCUSED: Readonly<Record<string, string>> = {
  'scripts/test/run-group.ts': 'programs that the runner of tests writes import it',
  'test/contract/dredd/run-dredd.ts': 'the hook file requires it, because Dredd loads no module',
  'web/docs/search-panel.js': 'is imported by its address',
};

/**
 * One sentence for each value that a file exports and no file imports, or only tests although the file is none: they
 * reach it through what the product imports. A type can be part of another export.
 */
export function unusedExports(sources: readonly Source[]): string[] {
  const files = sources.map(({ path, text }) => {
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    return { path, text, statements };
  });
  const byProduct = importedBy(files.filter(({ path }) => !isTest(path)));
  const byTests = importedBy(files.filter(({ path }) => isTest(path)));
  return files
    .filter(({ path }) => !(path in EXCUSED))
    .flatMap(({ path, statements }) =>
      statements.flatMap(exportedValues).flatMap((name) => {
        const isIn = (imported: ReadonlySet<string>) =>
          imported.has(`${path} ${name}`) || imported.has(`${path} *`);
        if (isIn(byProduct) || (isTest(path) && isIn(byTests))) return [];
        return [
          `${path} ${name} is exported, but ${isIn(byTests) ? 'only tests import' : 'no file imports'} it.`,
        ];
      }),
    );
}

interface Parsed extends Source {
  readonly statements: readonly ts.Statement[];
}

function isTest(path: string): boolean {
  return path.startsWith('test/');
}

function importedBy(files: readonly Parsed[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ path, text, statements }) => [
      ...statements.flatMap((statement) => importedNames(path, statement)),
      ...[...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, from]) => nameOf(path, from!, '*')),
    ]),
  );
}

/** The names that a statement imports, each after the path of its file. `*`: all. */
function importedNames(path: string, statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
  const from = statement.moduleSpecifier;
  if (from === undefined || !ts.isStringLiteral(from)) return [];
  if (ts.isImportDeclaration(statement) && statement.importClause === undefined) return [];
  const list = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  const named = list !== undefined && (ts.isNamedImports(list) || ts.isNamedExports(list));
  const names = named ? list.elements.map((one) => (one.propertyName ?? one.name).text) : ['*'];
  return names.map((name) => nameOf(path, from.text, name));
}

function nameOf(path: string, from: string, name: string): string {
  return `${posix.join(posix.dirname(path), from)} ${name}`;
}

function exportedValues(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: list, isTypeOnly } = statement;
    if (isTypeOnly || list === undefined || !ts.isNamedExports(list)) return [];
    return list.elements.filter((one) => !one.isTypeOnly).map((one) => one.name.text);
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name!.text];
  if (!ts.isVariableStatement(statement)) return [];
  const names = statement.declarationList.declarations.map(({ name }) => name);
  return names.filter(ts.isIdentifier).map(({ text }) => text);
}
