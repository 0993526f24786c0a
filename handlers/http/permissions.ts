import type { Principal } from '../../services/authenticate.ts';
import { Refusal } from '../../services/refusal.ts';
import type { ContractOperation } from './contract.ts';

/** Tag of the contract → the resource that a key's permissions name (contract row 1.3). */
const RESOURCE_OF_TAG: Readonly<Record<string, string>> = {
  account: 'merchant',
  recipients: 'recipients',
  customers: 'customers',
  cards: 'cards',
  orders: 'payments',
  payments: 'payments',
  refunds: 'payments',
  events: 'events',
  sandbox: 'sandbox',
};

/** Operations that take money: only on an approved account (contract row 1.6). */
const MOVES_MONEY: ReadonlySet<string> = new Set(['createOrder', 'capturePayment']);

/** Refuses what the key, the plan or the state of the account does not permit. */
export function refuseUnpermitted(principal: Principal, operation: ContractOperation): void {
  const resource = RESOURCE_OF_TAG[operation.tag];
  if (resource === undefined) throw new Error(`The tag ${operation.tag} has no resource.`);
  const permission = `${resource}:${operation.method === 'get' ? 'read' : 'write'}`;
  // The source text's word for a card that may not be seen (contract row 4.8); everything else is forbidden.
  const forbiddenCode = operation.path.startsWith('/cards/{uuid}') ? 'access_denied' : 'forbidden';
  if (!isPermitted(principal.permissions, resource, permission)) {
    throw new Refusal('forbidden', {
      code: forbiddenCode,
      message: `This key does not have the permission ${permission}.`,
    });
  }
  if (!principal.planResources.has(resource)) {
    throw new Refusal('forbidden', {
      code: forbiddenCode,
      message: `The plan of this account does not include ${resource}.`,
    });
  }
  if (MOVES_MONEY.has(operation.operationId) && principal.merchant.status !== 'approved') {
    throw new Refusal('forbidden', {
      code: 'forbidden',
      message: 'This account is not approved to take payments.',
    });
  }
}

/** Who may write a resource may read it too: an answer to a write shows as much. Null permits everything. */
function isPermitted(permissions: Principal['permissions'], resource: string, permission: string): boolean {
  return (
    permissions === null || permissions.includes(permission) || permissions.includes(`${resource}:write`)
  );
}
