import type { IncomingMessage } from 'node:http';
import { authenticate, type Principal } from '../../services/authenticate.ts';
import type { Deps } from '../../services/deps.ts';
import { Refusal } from '../../services/refusal.ts';
import type { ContractOperation } from './contract.ts';
import { refuseUnpermitted } from './permissions.ts';

const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

/**
 * Who calls, and whether they may. The account operation documents 401 and 403 the other way round (contract row
 * 1.4): there, a missing or invalid key is 403 and an account that is not approved is 401. `notGood`
 * is called for a key that lets nobody in.
 */
export async function identify(
  deps: Deps,
  request: IncomingMessage,
  operation: ContractOperation,
  notGood: () => void,
): Promise<Principal> {
  const isAccount = operation.operationId === 'getMerchant';
  const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
  const principal = await authenticate(deps, key).catch((error: unknown) => {
    if (error instanceof Refusal) notGood();
    throw isAccount ? asForbidden(error) : error;
  });
  refuseUnpermitted(principal, operation);
  if (isAccount && principal.merchant.status !== 'approved') {
    throw new Refusal('unauthorized', { code: 'unauthorized', message: 'This account is not approved.' });
  }
  return principal;
}

function asForbidden(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.kind !== 'unauthorized') return error;
  return new Refusal('forbidden', { code: 'forbidden', message: error.message });
}
