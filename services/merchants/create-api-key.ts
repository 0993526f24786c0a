import type { Queryable } from '../../db/engine/database.ts';
import { insertApiKey } from '../../db/merchants/api-keys.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { ApiKey } from '../../domain/merchants/api-key.ts';
import { makeApiKey, parseApiKey } from '../../domain/merchants/api-key.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

export interface CreatedApiKey {
  readonly record: ApiKey;
  /** Shown once. */
  readonly apiKey: string;
}

/** Creates a named API key for this process's environment. `permissions` null or absent means all permissions. */
export async function createApiKey(
  deps: Pick<Deps, 'environment' | 'hash' | 'wall' | 'random'>,
  q: Queryable,
  scope: MerchantScope,
  input: { name: string; permissions?: readonly string[] | null },
): Promise<CreatedApiKey> {
  const apiKey = makeApiKey(deps.environment, scope.slot, deps.random);
  const { prefix, last4 } = parseApiKey(apiKey)!;
  const at = deps.wall();
  const record: ApiKey = {
    slot: scope.slot,
    merchantId: scope.merchantId,
    id: uuidV7(at.getTime(), deps.random),
    name: input.name,
    prefix,
    last4,
    status: 'active',
    permissions: input.permissions ?? null,
    createdAt: at,
    lastUsedAt: null,
  };
  await insertApiKey(q, { ...record, keyHash: deps.hash('api-key', apiKey) });
  return { record, apiKey };
}
