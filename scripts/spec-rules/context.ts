/** The part of Redocly's rule interface that the house rules use. Redocly has no types for it. */
export type Node = Record<string, unknown>;

export interface Location {
  readonly source: { readonly absoluteRef: string };
  readonly pointer: string;
  child(keys: (string | number)[] | string): Location;
  key(): Location;
}

export interface Context {
  readonly location: Location;
  readonly key: string | number;
  /** The node as written, before a `$ref` is resolved. */
  readonly rawNode: Node;
  report(problem: { message: string; location?: Location }): void;
  resolve(node: unknown, from?: string): { node?: Node; location?: Location };
}

export type Visit = (node: Node, context: Context) => void;
export interface Visitor {
  [type: string]: Visit | Visitor;
}
export type Rule = () => Visitor;

/** The name of a node's file, without folder and extension: `createCard` of `…/cards/createCard.yaml`. */
export function fileName(location: Location): string {
  return location.source.absoluteRef
    .split('/')
    .at(-1)!
    .replace(/\.yaml$/, '');
}

/** The folder of a node's file: `cards` of `…/cards/createCard.yaml`. */
export function folderName(location: Location): string {
  return location.source.absoluteRef.split('/').at(-2) ?? '';
}

/** The file name of a `$ref` without extension; null when the node is not a reference. */
export function referredName(node: unknown): string | null {
  const ref = (node as Node | undefined)?.$ref;
  return typeof ref === 'string'
    ? ref
        .split('/')
        .at(-1)!
        .replace(/\.yaml$/, '')
    : null;
}

/** Whether a node is in an if/then/else, which only restricts a schema that is defined elsewhere. */
export function isBranch(location: Location): boolean {
  return /\/(if|then|else)\//.test(location.pointer);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
