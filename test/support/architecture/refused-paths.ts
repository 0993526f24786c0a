import { join } from 'node:path';
import ts from 'typescript';

/** What the use cases of an operation can refuse. Paths are those of their input; `*` is an index. */
export interface RefusedPaths {
  readonly paths: readonly string[];
  /** Places that refuse a path which this reader cannot work out. */
  readonly unreadable: readonly string[];
}

const root = join(import.meta.dirname, '../../..');

/**
 * The paths that each operation can refuse, found by reading the code: from its handler in `handlers/index.ts` through
 * every function of `services/` that it can reach, to the calls of `Violations.add`, `invalid` and `new Refusal`.
 */
export function refusedPaths(): ReadonlyMap<string, RefusedPaths> {
  const configPath = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(configPath, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const index = join(root, 'handlers/index.ts');
  const program = ts.createProgram([index], options);
  const checker = program.getTypeChecker();
  const implementations = implementationsOf(program, checker);
  const found = new Map<string, RefusedPaths>();
  const visit = (node: ts.Node): void => {
    if (ts.isShorthandPropertyAssignment(node)) {
      const symbol = checker.getShorthandAssignmentValueSymbol(node)!;
      const handler = checker.getAliasedSymbol(symbol).valueDeclaration!;
      found.set(node.name.text, new PathFinder(checker, implementations).find(handler));
    }
    // The handlers of an area.
    if (ts.isSpreadAssignment(node))
      visit(checker.getAliasedSymbol(checker.getSymbolAtLocation(node.expression)!).valueDeclaration!);
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(index)!);
  return found;
}

/** Parameter → the texts that a call can pass. */
type Bindings = ReadonlyMap<ts.Symbol, readonly string[]>;
type AnyFunction = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

/** Method of an interface → the functions of object literals that implement it. */
type Implementations = ReadonlyMap<ts.Node, readonly AnyFunction[]>;

class PathFinder {
  readonly #checker: ts.TypeChecker;
  readonly #implementations: Implementations;
  readonly #paths = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #entered = new Set<string>();

  constructor(checker: ts.TypeChecker, implementations: Implementations) {
    this.#checker = checker;
    this.#implementations = implementations;
  }

  find(start: ts.Node): RefusedPaths {
    this.#visit(start, new Map());
    return { paths: [...this.#paths].sort(), unreadable: [...this.#unreadable] };
  }

  #visit(node: ts.Node, bindings: Bindings): void {
    if (ts.isCallExpression(node)) this.#visitCall(node, bindings);
    else if (ts.isNewExpression(node)) this.#visitNew(node, bindings);
    else if (ts.isIdentifier(node)) this.#enter(this.#functionOf(node), new Map());
    if (ts.isTypeNode(node)) return;
    ts.forEachChild(node, (child) => {
      // A function that is called is entered with its arguments.
      const isCalled = ts.isCallExpression(node) && child === node.expression && ts.isIdentifier(child);
      if (!isCalled) this.#visit(child, bindings);
    });
  }

  #visitCall(call: ts.CallExpression, bindings: Bindings): void {
    const [first] = call.arguments;
    const name = this.#refusalFunction(call.expression);
    if (name === 'add') this.#refuse(call, first && this.#texts(first, bindings));
    else if (name === 'invalid') this.#refuseKeys(first, bindings);
    else if (ts.isIdentifier(call.expression)) {
      const callee = this.#functionOf(call.expression);
      if (callee !== undefined) this.#enter(callee, this.#bind(callee, call.arguments, bindings));
    } else if (ts.isPropertyAccessExpression(call.expression)) {
      for (const callee of this.#implementationsOf(call.expression.name)) {
        this.#enter(callee, this.#bind(callee, call.arguments, bindings));
      }
    }
  }

  #implementationsOf(name: ts.MemberName): readonly AnyFunction[] {
    const declarations = this.#checker.getSymbolAtLocation(name)?.declarations ?? [];
    return declarations.flatMap((declaration) => this.#implementations.get(declaration) ?? []);
  }

  #visitNew({ expression, arguments: given }: ts.NewExpression, bindings: Bindings): void {
    const details = given?.[1];
    if (this.#refusalFunction(expression) !== 'Refusal' || details === undefined) return;
    if (!ts.isObjectLiteralExpression(details)) this.#refuse(details, undefined);
    for (const property of ts.isObjectLiteralExpression(details) ? details.properties : []) {
      if (property.name?.getText() !== 'fields') continue;
      this.#refuseKeys(ts.isPropertyAssignment(property) ? property.initializer : undefined, bindings);
    }
  }

  /** The name of what is used, where it is declared in services/refusal.ts. */
  #refusalFunction(expression: ts.Expression): string | undefined {
    const declaration = this.#symbolOf(expression)?.valueDeclaration;
    if (declaration === undefined || pathOf(declaration) !== 'services/refusal.ts') return undefined;
    return ts.getNameOfDeclaration(declaration)?.getText();
  }

  #refuse(where: ts.Node, paths: readonly string[] | undefined): void {
    if (paths === undefined) this.#unreadable.add(placeOf(where));
    for (const path of paths ?? []) this.#paths.add(path);
  }

  #refuseKeys(fields: ts.Expression | undefined, bindings: Bindings): void {
    if (fields === undefined) return;
    if (ts.isParenthesizedExpression(fields)) this.#refuseKeys(fields.expression, bindings);
    else if (ts.isBinaryExpression(fields)) this.#refuseKeys(fields.right, bindings);
    else if (ts.isObjectLiteralExpression(fields)) {
      for (const property of fields.properties) this.#refuseKey(property, bindings);
    }
    // The fields of another refusal were found where that is made.
    else if (!(ts.isPropertyAccessExpression(fields) && fields.name.text === 'fields')) {
      this.#refuse(fields, undefined);
    }
  }

  #refuseKey(property: ts.ObjectLiteralElementLike, bindings: Bindings): void {
    if (ts.isSpreadAssignment(property)) this.#refuseKeys(property.expression, bindings);
    else if (ts.isComputedPropertyName(property.name!)) {
      this.#refuse(property, this.#texts(property.name.expression, bindings));
    } else this.#refuse(property, [(property.name as ts.Identifier | ts.StringLiteral).text]);
  }

  #functionOf(name: ts.Identifier): AnyFunction | undefined {
    const declaration = this.#symbolOf(name)?.valueDeclaration;
    if (declaration === undefined || !isRead(pathOf(declaration))) return undefined;
    if (ts.isFunctionDeclaration(declaration)) return declaration;
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
  }

  #enter(callee: AnyFunction | undefined, bindings: Bindings): void {
    if (callee?.body === undefined) return;
    const key = `${placeOf(callee)} ${JSON.stringify([...bindings.values()])}`;
    if (this.#entered.has(key)) return;
    this.#entered.add(key);
    this.#visit(callee.body, bindings);
  }

  #bind(callee: AnyFunction, given: readonly ts.Expression[], outer: Bindings): Bindings {
    const bindings = new Map<ts.Symbol, readonly string[]>();
    callee.parameters.forEach((parameter, place) => {
      const value = given[place] ?? parameter.initializer;
      const symbol = this.#checker.getSymbolAtLocation(parameter.name);
      const texts = value && symbol && this.#texts(value, outer);
      if (texts !== undefined) bindings.set(symbol!, texts);
    });
    return bindings;
  }

  /** Every text that an expression can be, `*` for a number; undefined where that is not known. */
  #texts(expression: ts.Expression, bindings: Bindings): readonly string[] | undefined {
    if (ts.isStringLiteralLike(expression)) return [expression.text];
    if (ts.isParenthesizedExpression(expression)) return this.#texts(expression.expression, bindings);
    if (ts.isTemplateExpression(expression)) return this.#textsOfTemplate(expression, bindings);
    if (ts.isConditionalExpression(expression)) {
      const [one, other] = [expression.whenTrue, expression.whenFalse].map((e) => this.#texts(e, bindings));
      return one && other && [...one, ...other];
    }
    if (ts.isIdentifier(expression)) {
      const symbol = this.#symbolOf(expression);
      const bound = symbol && bindings.get(symbol);
      if (bound !== undefined) return bound;
    }
    return textsOfType(this.#checker.getTypeAtLocation(expression));
  }

  #textsOfTemplate(template: ts.TemplateExpression, bindings: Bindings): readonly string[] | undefined {
    let texts: readonly string[] = [template.head.text];
    for (const { expression, literal } of template.templateSpans) {
      const middle = this.#texts(expression, bindings);
      if (middle === undefined) return undefined;
      texts = texts.flatMap((text) => middle.map((part) => text + part + literal.text));
    }
    return texts;
  }

  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** The functions that implement the methods of interfaces in object literals. */
function implementationsOf(program: ts.Program, checker: ts.TypeChecker): Implementations {
  const found = new Map<ts.Node, AnyFunction[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      for (const [declaration, value] of methodsOf(node, checker)) {
        found.set(declaration, [...(found.get(declaration) ?? []), value]);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (isRead(pathOf(file))) visit(file);
  return found;
}

function methodsOf(literal: ts.ObjectLiteralExpression, checker: ts.TypeChecker): [ts.Node, AnyFunction][] {
  const type = checker.getContextualType(literal);
  return literal.properties.flatMap((property): [ts.Node, AnyFunction][] => {
    const value = ts.isPropertyAssignment(property) ? property.initializer : property;
    if (!ts.isMethodDeclaration(value) && !ts.isArrowFunction(value)) return [];
    const declarations = type?.getProperty(property.name!.getText())?.declarations ?? [];
    return declarations.filter(ts.isMethodSignature).map((declaration) => [declaration, value]);
  });
}

function textsOfType(type: ts.Type): readonly string[] | undefined {
  if (type.flags & ts.TypeFlags.NumberLike) return ['*'];
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => member.isStringLiteral()) ? members.map(({ value }) => value) : undefined;
}

function isRead(path: string): boolean {
  return (
    /^(services|handlers)\//.test(path) && path !== 'services/refusal.ts' && !/^handlers\/http\//.test(path)
  );
}

function pathOf(node: ts.Node): string {
  return node.getSourceFile().fileName.slice(root.length + 1);
}

function placeOf(node: ts.Node): string {
  const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return `${pathOf(node)}:${line + 1} ${node.getStart()}`;
}
