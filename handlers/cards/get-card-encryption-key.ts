import { cardEncryptionKey } from '../../services/cards/card-encryption-key.ts';
import type { Handler } from '../http/handler.ts';

export const getCardEncryptionKey: Handler<'getCardEncryptionKey'> = async ({ deps, merchant }) => {
  const jwk = await cardEncryptionKey(deps, merchant);
  return { status: 200, body: { kid: jwk.kid, alg: jwk.alg, enc: 'A256GCM', jwk } };
};
