import {
  type ApiKeyRecord,
  findApiKeyById,
  type KeyStatus,
  moveApiKey,
} from '../../db/merchants/api-keys.ts';
import type { Deps } from '../deps.ts';
import { notFound, notInThisState } from '../refusal.ts';

/** Which status a key may have before: everything can be undone but a revocation. */
const NOT_REVOKED: readonly KeyStatus[] = ['active', 'disabled', 'suspended'];
const MAY_BECOME: Readonly<Record<KeyStatus, readonly KeyStatus[]>> = {
  active: NOT_REVOKED,
  disabled: NOT_REVOKED,
  suspended: NOT_REVOKED,
  revoked: [...NOT_REVOKED, 'revoked'],
};

/**
 * Moves an API key to a status; it is not an error when the key has it already. Every process obeys from the next request.
 * Refusals: `not_found`; `wrong_state` for a revoked key.
 */
export async function changeApiKey(
  deps: Pick<Deps, 'db'>,
  keyId: string,
  status: KeyStatus,
): Promise<ApiKeyRecord> {
  const key = await findApiKeyById(deps.db, keyId);
  if (key === undefined) throw notFound('API key');
  if (!(await moveApiKey(deps.db, key, keyId, MAY_BECOME[status], status))) {
    throw notInThisState('The key is revoked, and a revocation is final.');
  }
  return { ...key, status };
}
