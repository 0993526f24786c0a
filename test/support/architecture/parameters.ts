import ts from 'typescript';
import type { Source } from './sources.ts';

/** The parameters that lead, in their order, by what is written as their type. Everything else follows. */
const LEADING: readonly RegExp[] = [
  // What the service is made of, or what the steps of one transaction share.
  /^(Pick<Deps\b.*|\w*Deps|\w*Context)$/,
  /^(Tx|Queryable|Database|Connections)$/,
  /^(Merchant|MerchantScope)$/,
];

/** One sentence for each function of db, services and jobs whose parameters are in another order. */
export function misplacedParameters(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^(db|services|jobs)\//.test(path))
    .flatMap(({ path, text }) => {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      return functionsIn(file)
        .filter((each) => !isOrdered(each))
        .map((each) => {
          const names = each.parameters.map(({ name }) => name.getText()).join(', ');
          return `${path}: the parameters (${names}) are not in the order deps, tx, merchant, others.`;
        });
    });
}

const MOST_PARAMETERS = 5;

/** One sentence for each function with more than five parameters: several of them can be one object. */
export function longParameterLists(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const lists: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      if (
        (ts.isFunctionLike(node) || ts.isFunctionTypeNode(node)) &&
        node.parameters.length > MOST_PARAMETERS
      )
        lists.push(node);
      ts.forEachChild(node, visit);
    };
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    visit(file);
    return lists.map((node) => {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      return `${path}:${line} has a function with more than ${MOST_PARAMETERS} parameters.`;
    });
  });
}

function functionsIn(node: ts.Node): ts.FunctionLikeDeclaration[] {
  const own = ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) ? [node] : [];
  return [...own, ...node.getChildren().flatMap(functionsIn)];
}

function isOrdered({ parameters }: ts.FunctionLikeDeclaration): boolean {
  const ranks = parameters.map(({ type }) => {
    const text = type?.getText().replaceAll(/\s+/g, ' ') ?? '';
    const rank = LEADING.findIndex((pattern) => pattern.test(text));
    return rank === -1 ? LEADING.length : rank;
  });
  return ranks.every((rank, place) => place === 0 || ranks[place - 1]! <= rank);
}
