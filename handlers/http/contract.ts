import { readFileSync } from 'node:fs';
import { isPermission, type Permission } from '../../domain/merchants/plans.ts';

/** The four error bodies in use, by the name of their schema in the contract. */
export type ErrorShape = 'ValidationErrors' | 'ErrorEnvelope' | 'ErrorMessage' | 'ErrorText';

type Node = { readonly [key: string]: unknown };

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  /** Template below the server's prefix: `/customers/{identifier}`. */
  readonly path: string;
  readonly tag: string;
  readonly takesBody: boolean;
  readonly needsBody: boolean;
  /** What a key needs (`x-permission`); null for an operation that takes no key. */
  readonly permission: Permission | null;
  /** Only an approved account may use it (`x-moves-money`). */
  readonly movesMoney: boolean;
  /** Status → error bodies that the contract allows there, in its order. */
  readonly errorShapes: ReadonlyMap<number, readonly ErrorShape[]>;
}

/** The bundled contract: the document itself for the router, and what the server reads out of it. */
export interface Contract {
  readonly document: Node;
  readonly operations: ReadonlyMap<string, ContractOperation>;
}

const SHAPES: readonly string[] = ['ValidationErrors', 'ErrorEnvelope', 'ErrorMessage', 'ErrorText'];

/** Reads generated/openapi.json. Throws as `readContract`. */
export function loadContract(): Contract {
  const text = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8');
  return readContract(JSON.parse(text) as Node);
}

/** Reads a bundled document. Throws on an operation whose `x-permission` is missing, unknown or misplaced. */
export function readContract(document: Node): Contract {
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

/** The contract without the operations of one tag: their paths are then as unknown as any other. */
export function withoutTag(contract: Contract, tag: string): Contract {
  const document = structuredClone(contract.document) as { paths: Record<string, Record<string, unknown>> };
  const operations = new Map(contract.operations);
  for (const operation of contract.operations.values()) {
    if (operation.tag !== tag) continue;
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
    tag: (operation.tags as readonly string[])[0] ?? '',
    takesBody: operation.requestBody !== undefined,
    needsBody: (operation.requestBody as { required?: boolean } | undefined)?.required === true,
    permission: permissionOf(document, method, operation),
    movesMoney: operation['x-moves-money'] === true,
    errorShapes: errorShapes(document, operation.responses as Record<string, Node>),
  };
}

/**
 * What the contract asks of a key (row 1.3). Reads ask for `:read` and everything else for `:write`, so that a key
 * which may only read changes nothing.
 */
function permissionOf(document: Node, method: string, operation: Node): Permission | null {
  const security = (operation.security ?? document.security ?? []) as readonly object[];
  const permission = operation['x-permission'];
  const isOpen = security.length === 0;
  if (isOpen && permission === undefined) return null;
  const right = method === 'get' ? 'read' : 'write';
  if (!isOpen && isPermission(permission) && permission.endsWith(`:${right}`)) return permission;
  const expected = isOpen ? 'must not have an x-permission' : `needs an x-permission <resource>:${right}`;
  throw new Error(`The operation ${String(operation.operationId)} ${expected}, not ${String(permission)}.`);
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
