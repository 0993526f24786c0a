import { findApiKeyById, moveApiKeyRow } from '../../db/merchants/api-keys.ts';
import type { ApiKey, ApiKeyStatus } from '../../domain/merchants/api-key.ts';
import { API_KEY_MOVE_TO, apiKeyMachine } from '../../domain/merchants/api-key-moves.ts';
import type { Deps } from '../deps.ts';
import { notFound, notInThisState } from '../refusal.ts';

/**
 * Moves an API key to a status. It is not an error when the key has this status. All processes apply it from the next
 * request on. Refusals: `not_found`; `wrong_state` for a revoked key.
 */
export async function changeApiKey(
  deps: Pick<Deps, 'db'>,
  keyId: string,
  status: ApiKeyStatus,
): Promise<ApiKey> {
  const key = await findApiKeyById(deps.db, keyId);
  if (key === undefined) throw notFound('API key');
  const move = apiKeyMachine.rowMove(API_KEY_MOVE_TO[status], 'operator');
  if (!(await moveApiKeyRow(deps.db, key, keyId, move))) {
    throw notInThisState('The key is revoked, and a revocation is final.');
  }
  return { ...key, status };
}
