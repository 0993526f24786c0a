import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Permission, resourceOf } from '../../domain/merchants/plans.ts';
import type { Principal } from '../../services/merchants/authenticate.ts';
import type { ContractOperation } from './contract.ts';
import { HttpRefusal } from './refusal.ts';

/** Refuses an operation that the key, the plan or the status of the account does not permit. */
export function refuseUnpermitted(principal: Principal, operation: ContractOperation): void {
  const { permission, forbiddenCode } = operation;
  if (permission === null) throw new Error(`The operation ${operation.operationId} needs no key.`);
  const resource = resourceOf(permission);
  if (!isPermitted(principal.permissions, permission)) {
    throw new HttpRefusal(403, {
      code: forbiddenCode,
      message: `This key does not have the permission ${permission}.`,
    });
  }
  if (!principal.planResources.has(resource)) {
    throw new HttpRefusal(403, {
      code: forbiddenCode,
      message: `The plan of this account does not include ${resource}.`,
    });
  }
  refuseUnapproved(principal.merchant, operation);
}

/** Refuses an operation that moves money if the account is not approved. */
export function refuseUnapproved({ status }: Merchant, { movesMoney }: ContractOperation): void {
  if (!movesMoney || status === 'approved') return;
  throw new HttpRefusal(403, {
    code: 'forbidden',
    message: 'This account is not approved to take payments.',
  });
}

/** `:write` includes `:read`, because the answer to a write shows the resource. Null permits everything. */
function isPermitted(granted: Principal['permissions'], permission: Permission): boolean {
  return (
    granted === null || granted.includes(permission) || granted.includes(`${resourceOf(permission)}:write`)
  );
}
