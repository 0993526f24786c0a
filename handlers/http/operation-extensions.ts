import { isPermission, type Permission } from '../../domain/merchants/plans.ts';

type Node = { readonly [key: string]: unknown };

/** The contract's extensions (`x-…`) of an operation that the server uses. */
export interface OperationExtensions {
  /** The permission that a key needs (`x-permission`); null for an operation without a key. */
  readonly permission: Permission | null;
  /** Requires an approved account (`x-moves-money`). */
  readonly movesMoney: boolean;
  /** Does not exist in production (`x-sandbox-only`). */
  readonly sandboxOnly: boolean;
  /** Error code of the 403 for a key without the permission (`x-forbidden-code`). */
  readonly forbiddenCode: string;
  /** A wrong key is answered with 403, and an account that is not approved with 401 (`x-swaps-401-and-403`). */
  readonly swaps401And403: boolean;
  /** Pages of any origin can call it, without an API key and without an Idempotency-Key (`x-cross-origin`). */
  readonly isCrossOrigin: boolean;
}

const FLAGS = ['x-moves-money', 'x-sandbox-only', 'x-swaps-401-and-403', 'x-cross-origin'];
const KNOWN = [...FLAGS, 'x-permission', 'x-forbidden-code'];

/** Reads the extensions. `isOpen`: the operation needs no key. Throws the first of `extensionProblems`. */
export function readExtensions(operation: Node, method: string, isOpen: boolean): OperationExtensions {
  const [problem] = extensionProblems(operation, method, isOpen);
  if (problem !== undefined)
    throw new Error(`The operation ${String(operation.operationId)} cannot be served: ${problem}`);
  return {
    permission: (operation['x-permission'] as Permission | undefined) ?? null,
    movesMoney: operation['x-moves-money'] === true,
    sandboxOnly: operation['x-sandbox-only'] === true,
    forbiddenCode: (operation['x-forbidden-code'] as string | undefined) ?? 'forbidden',
    swaps401And403: operation['x-swaps-401-and-403'] === true,
    isCrossOrigin: operation['x-cross-origin'] === true,
  };
}

/**
 * One sentence for each mistake. Reads need a permission `:read` and everything else one `:write` (contract row 1.3),
 * so that a key which may only read changes nothing.
 */
export function extensionProblems(operation: Node, method: string, isOpen: boolean): string[] {
  const { 'x-permission': permission, 'x-forbidden-code': code } = operation;
  const right = method === 'get' ? 'read' : 'write';
  const isPermitted = isOpen
    ? permission === undefined
    : isPermission(permission) && permission.endsWith(`:${right}`);
  return [
    ...Object.keys(operation)
      .filter((name) => name.startsWith('x-') && !KNOWN.includes(name))
      .map((name) => `${name} is not known.`),
    ...FLAGS.filter((name) => operation[name] !== undefined && operation[name] !== true).map(
      (name) => `${name} is true, or is left out.`,
    ),
    ...(isPermitted ? [] : [isOpen ? 'Without security there is no x-permission.' : needed(right)]),
    ...(!isOpen && operation['x-cross-origin'] === true
      ? ['An operation with x-cross-origin needs no key.']
      : []),
    ...(method === 'get' && operation['x-moves-money'] === true ? ['A GET cannot move money.'] : []),
    ...(code === undefined || isCode(code) ? [] : ['x-forbidden-code is a code in snake_case.']),
  ];
}

function needed(right: string): string {
  return `x-permission must be a resource of domain/merchants/plans.ts and :${right}.`;
}

function isCode(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z]+(_[a-z]+)*$/.test(value);
}
