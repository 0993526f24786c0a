import { updateEndpoint } from '../../db/webhooks/endpoints.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { PREVIOUS_SECRET_MS } from '../../domain/webhooks/endpoint.ts';
import type { Deps, Finish } from '../deps.ts';
import type { EndpointWithSecret } from './create-endpoint.ts';
import { NO_PREVIOUS_SECRET, sealSecret } from './endpoint-secrets.ts';
import { lockEndpoint } from './find-endpoint.ts';
import { newSecret } from './signature.ts';

/** Generates a new secret. For 24 hours, the previous one also signs. Refusal: `not_found`. */
export async function rotateSecret<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<EndpointWithSecret, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const stored = await lockEndpoint(tx, merchant, id);
    const at = deps.wall();
    const secret = newSecret(deps.random);
    const previous =
      stored.secretSealed === null
        ? NO_PREVIOUS_SECRET
        : {
            previousSecretSealed: stored.secretSealed,
            previousSecretExpiresAt: new Date(at.getTime() + PREVIOUS_SECRET_MS),
          };
    const secretSealed = sealSecret(deps, stored.id, secret);
    const endpoint = { ...stored, ...previous, secretSealed, signed: true, updatedAt: at };
    await updateEndpoint(tx, merchant, endpoint);
    return finish(tx, { endpoint, secret });
  });
}
