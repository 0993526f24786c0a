import { type OperationExtensions, readExtensions } from './operation-extensions.ts';

/** The four shapes of error bodies, named by their schemas in the contract. */
export type ErrorShape = 'ValidationErrors' | 'ErrorEnvelope' | 'ErrorMessage' | 'ErrorText';

type Node = { readonly [key: string]: unknown };

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export interface ContractOperation extends OperationExtensions {
  /** Whether it needs no API key. */
  readonly isOpen: boolean;
  readonly operationId: string;
  readonly method: string;
  /** Template below the server's prefix: `/customers/{identifier}`. */
  readonly path: string;
  readonly takesBody: boolean;
  readonly needsBody: boolean;
  /** Status → the error bodies that the contract allows for it, in order. */
  readonly errorShapes: ReadonlyMap<number, readonly ErrorShape[]>;
}

/** The bundled contract: the document for the router, and its operations for the server. */
export interface Contract {
  readonly document: Node;
  readonly operations: ReadonlyMap<string, ContractOperation>;
}

const SHAPES: readonly string[] = ['ValidationErrors', 'ErrorEnvelope', 'ErrorMessage', 'ErrorText'];

/** Reads a bundled document. Throws on an operation whose `x-` fields are missing, unknown or misplaced. */
export function readContract(document: Contract['document']): Contract {
  const operations = new Map<string, ContractOperation>();
  for (const [path, item] of Object.entries(document.paths as Record<string, Record<string, Node>>)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      operations.set(operation.operationId as string, describe(document, path, method, operation));
    }
  }
  return { document, operations };
}

/** The contract of production, without the sandbox's operations. */
export function withoutSandbox(contract: Contract): Contract {
  const document = structuredClone(contract.document) as { paths: Record<string, Record<string, unknown>> };
  const operations = new Map(contract.operations);
  for (const operation of contract.operations.values()) {
    if (!operation.sandboxOnly) continue;
    operations.delete(operation.operationId);
    delete document.paths[operation.path]?.[operation.method];
  }
  return { document, operations };
}

function describe(document: Node, path: string, method: string, operation: Node): ContractOperation {
  return {
    operationId: operation.operationId as string,
    method,
    path,
    takesBody: operation.requestBody !== undefined,
    needsBody: (operation.requestBody as { required?: boolean } | undefined)?.required === true,
    isOpen: isOpen(document, operation),
    ...readExtensions(operation, method, isOpen(document, operation)),
    errorShapes: errorShapes(document, operation.responses as Record<string, Node>),
  };
}

/** Whether an operation needs no key. */
function isOpen(document: Node, operation: Node): boolean {
  return ((operation.security ?? document.security ?? []) as readonly object[]).length === 0;
}

function errorShapes(document: Node, responses: Record<string, Node>): Map<number, ErrorShape[]> {
  const shapes = new Map<number, ErrorShape[]>();
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) < 400) continue;
    const { content } = resolve(document, response) as { content?: Record<string, { schema?: Node }> };
    shapes.set(Number(status), shapesOf(document, content?.['application/json']?.schema));
  }
  return shapes;
}

function shapesOf(document: Node, schema: Node | undefined): ErrorShape[] {
  if (schema === undefined) return [];
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').pop()! : '';
  if (SHAPES.includes(name)) return [name as ErrorShape];
  const target = resolve(document, schema);
  const branches = (target.oneOf ?? target.anyOf ?? []) as readonly Node[];
  return branches.flatMap((branch) => shapesOf(document, branch));
}

function resolve(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = document;
  for (const part of node.$ref.slice(2).split('/')) target = (target as Node)[part];
  return target as Node;
}
