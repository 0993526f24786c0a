import { findKeyHolder, type KeyHolder } from '../../db/merchants/api-keys.ts';
import { parseApiKey } from '../../domain/merchants/api-key.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { planNamed } from '../../domain/merchants/plans.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** The caller of a request, and the permissions of its key. */
export interface Principal {
  readonly keyId: string;
  readonly merchant: Merchant;
  /** Null = everything. */
  readonly permissions: readonly string[] | null;
  readonly planResources: ReadonlySet<string>;
}

/**
 * Finds the holder of an API key. Refusals: `unknown_api_key` for one that is malformed, unknown or revoked,
 * `api_key_not_allowed` for one that is disabled, suspended or of the other environment. Reads the database each time,
 * so that a revocation takes effect on all processes at once.
 */
export async function authenticate(deps: Deps, keyText: string): Promise<Principal> {
  const parsed = parseApiKey(keyText);
  if (parsed === null) throw unknownKey('The API key is not valid.');
  if (parsed.environment !== deps.environment) {
    throw keyNotAllowed(`This key cannot be used in the ${deps.environment} environment.`);
  }
  if (parsed.slot === null) throw unknownKey('The API key is not valid.');
  const holder = await findKeyHolder(deps.db, parsed.slot, deps.hash('api-key', keyText));
  if (holder === undefined || holder.status === 'revoked') throw unknownKey('The API key is not valid.');
  if (holder.status !== 'active') throw keyNotAllowed(`The API key is ${holder.status}.`);
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

function unknownKey(message: string): Refusal {
  return new Refusal('unknown_api_key', { message });
}

function keyNotAllowed(message: string): Refusal {
  return new Refusal('api_key_not_allowed', { message });
}
