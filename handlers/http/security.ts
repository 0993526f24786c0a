import type { IncomingMessage } from 'node:http';
import type { Deps } from '../../services/deps.ts';
import { authenticate, type Principal } from '../../services/merchants/authenticate.ts';
import { Refusal } from '../../services/refusal.ts';
import type { ContractOperation } from './contract.ts';
import { refuseUnpermitted } from './permissions.ts';
import { HttpRefusal } from './refusal.ts';

const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

/**
 * Authenticates the caller. Calls `onInvalidKey` if the key is refused. For operations that swap 401 and 403 (contract
 * row 1.4), the refusal of a missing or invalid key is 403.
 */
export async function identify(
  deps: Deps,
  request: IncomingMessage,
  operation: ContractOperation,
  onInvalidKey: () => void,
): Promise<Principal> {
  const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return principalOf(deps, key).catch((error: unknown) => {
    if (error instanceof Refusal) onInvalidKey();
    throw operation.swaps401And403 ? asForbidden(error) : error;
  });
}

async function principalOf(deps: Deps, key: string | undefined): Promise<Principal> {
  if (key !== undefined) return authenticate(deps, key);
  const message = 'Send your API key as a bearer token in the Authorization header.';
  throw new Refusal('unknown_api_key', { message });
}

/**
 * Refuses an authenticated caller without permission. Runs after the rate limit, so these refusals count. For
 * operations that swap 401 and 403, an account that is not approved is refused with 401.
 */
export function authorize(principal: Principal, operation: ContractOperation): void {
  refuseUnpermitted(principal, operation);
  if (operation.swaps401And403 && principal.merchant.status !== 'approved') {
    throw new HttpRefusal(401, { code: 'unauthorized', message: 'This account is not approved.' });
  }
}

function asForbidden(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.reason !== 'unknown_api_key') return error;
  return new HttpRefusal(403, { code: 'forbidden', message: error.message });
}
