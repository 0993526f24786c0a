import { findKeyHolder, type KeyHolder } from '../../db/merchants/api-keys.ts';
import { parseApiKey } from '../../domain/merchants/api-key.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { planNamed } from '../../domain/merchants/plans.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** Who calls, and what that key may do. */
export interface Principal {
  readonly keyId: string;
  readonly merchant: Merchant;
  /** Null = everything. */
  readonly permissions: readonly string[] | null;
  readonly planResources: ReadonlySet<string>;
}

/**
 * Finds who holds an API key. Missing, malformed, unknown or revoked: `unauthorized`. Disabled, suspended, of the
 * other environment: `forbidden`. Asks the database each time, so a revocation holds on every process at once.
 */
export async function authenticate(deps: Deps, keyText: string | undefined): Promise<Principal> {
  if (keyText === undefined)
    throw unauthorized('Send your API key as a bearer token in the Authorization header.');
  const parsed = parseApiKey(keyText);
  if (parsed === null) throw unauthorized('The API key is not valid.');
  if (parsed.environment !== deps.environment) {
    throw forbidden(`This is a key of the other environment; here is ${deps.environment}.`);
  }
  if (parsed.slot === null) throw unauthorized('The API key is not valid.');
  const holder = await findKeyHolder(deps.db, parsed.slot, deps.hash('api-key', keyText));
  if (holder === undefined || holder.status === 'revoked') throw unauthorized('The API key is not valid.');
  if (holder.status !== 'active') throw forbidden(`The API key is ${holder.status}.`);
  return principalOf(holder);
}

function principalOf(holder: KeyHolder): Principal {
  return {
    keyId: holder.keyId,
    merchant: holder.merchant,
    permissions: holder.permissions,
    planResources: planNamed(holder.merchant.plan).resources,
  };
}

function unauthorized(message: string): Refusal {
  return new Refusal('unauthorized', { code: 'unauthorized', message });
}

function forbidden(message: string): Refusal {
  return new Refusal('forbidden', { code: 'forbidden', message });
}
