import { type Permission, resourceOf } from '../../domain/merchants/plans.ts';
import type { Principal } from '../../services/merchants/authenticate.ts';
import { Refusal } from '../../services/refusal.ts';
import type { ContractOperation } from './contract.ts';

/** Refuses what the key, the plan or the state of the account does not permit. */
export function refuseUnpermitted(principal: Principal, operation: ContractOperation): void {
  const { permission } = operation;
  if (permission === null) throw new Error(`The operation ${operation.operationId} takes no key.`);
  const resource = resourceOf(permission);
  // The source text's word for a card that may not be seen (contract row 4.8); everything else is forbidden.
  const forbiddenCode = operation.path.startsWith('/cards/{uuid}') ? 'access_denied' : 'forbidden';
  if (!isPermitted(principal.permissions, permission)) {
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
  if (operation.movesMoney && principal.merchant.status !== 'approved') {
    throw new Refusal('forbidden', {
      code: 'forbidden',
      message: 'This account is not approved to take payments.',
    });
  }
}

/** Permission to write a resource includes reading it: an answer to a write shows as much. Null permits everything. */
function isPermitted(granted: Principal['permissions'], permission: Permission): boolean {
  return (
    granted === null || granted.includes(permission) || granted.includes(`${resourceOf(permission)}:write`)
  );
}
