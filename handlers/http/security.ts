import type { IncomingMessage } from 'node:http';
import type { Deps } from '../../services/deps.ts';
import { authenticate, type Principal } from '../../services/merchants/authenticate.ts';
import { Refusal } from '../../services/refusal.ts';
import type { ContractOperation } from './contract.ts';
import { refuseUnpermitted } from './permissions.ts';

const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

/**
 * Finds who calls. The account operation documents 401 and 403 the other way round (contract row 1.4): there, a missing
 * or invalid key is 403. `onInvalidKey` is called for a key that is refused.
 */
export async function identify(
  deps: Deps,
  request: IncomingMessage,
  operation: ContractOperation,
  onInvalidKey: () => void,
): Promise<Principal> {
  const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return authenticate(deps, key).catch((error: unknown) => {
    if (error instanceof Refusal) onInvalidKey();
    throw isAccountOperation(operation) ? asForbidden(error) : error;
  });
}

/**
 * Refuses a caller who is known, but may not make this request. Runs after the rate limit, so that these refusals count.
 * On the account operation, an account that is not approved is 401 (contract row 1.4).
 */
export function authorize(principal: Principal, operation: ContractOperation): void {
  refuseUnpermitted(principal, operation);
  if (isAccountOperation(operation) && principal.merchant.status !== 'approved') {
    throw new Refusal('unauthorized', { code: 'unauthorized', message: 'This account is not approved.' });
  }
}

function isAccountOperation({ operationId }: ContractOperation): boolean {
  return operationId === 'getMerchant';
}

function asForbidden(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.kind !== 'unauthorized') return error;
  return new Refusal('forbidden', { code: 'forbidden', message: error.message });
}
