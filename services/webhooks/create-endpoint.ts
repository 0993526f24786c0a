import { insertEndpoint, lockEndpointCount } from '../../db/webhooks/endpoints.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Endpoint, type EndpointStatus, MAX_ENDPOINTS } from '../../domain/webhooks/endpoint.ts';
import type { Deps, Finish } from '../deps.ts';
import { invalid, Violations } from '../refusal.ts';
import { destinationProblem } from './check-destination.ts';
import {
  checkSecret,
  chosenSecret,
  type GivenSecret,
  NO_PREVIOUS_SECRET,
  sealSecret,
} from './endpoint-secrets.ts';

export interface NewEndpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | null | undefined;
  readonly status?: EndpointStatus | undefined;
  /** Left out: one is generated. Null: deliveries are not signed. */
  readonly secret?: GivenSecret;
}

/** An endpoint with its unencrypted secret, which is shown once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string | null;
}

/**
 * Creates an endpoint. It receives the events from now on. Refusals: `url`, also when the merchant has the maximum of
 * endpoints; `secret`.
 */
export async function createEndpoint<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewEndpoint,
  finish: Finish<EndpointWithSecret, Answer>,
): Promise<Answer> {
  const violations = new Violations();
  const problem = await destinationProblem(deps, merchant.merchantId, input.url);
  if (problem !== undefined) violations.add('url', problem);
  checkSecret(violations, input.secret);
  violations.throwIfAny();

  const secret = chosenSecret(deps, input.secret);
  const at = deps.wall();
  const endpoint: Endpoint = {
    id: input.id,
    url: input.url,
    events: input.events,
    description: input.description ?? null,
    status: input.status ?? 'active',
    disabledReason: null,
    signed: secret !== null,
    previousSecretExpiresAt: null,
    failingSince: null,
    idleSince: null,
    faults: null,
    createdAt: at,
    updatedAt: at,
  };
  const secretSealed = sealSecret(deps, input.id, secret);
  return deps.db.transaction(merchant, async (tx) => {
    if ((await lockEndpointCount(tx, merchant)) >= MAX_ENDPOINTS) {
      throw invalid({ url: `You can have at most ${MAX_ENDPOINTS} endpoints.` });
    }
    await insertEndpoint(tx, merchant, { ...endpoint, ...NO_PREVIOUS_SECRET, secretSealed });
    return finish(tx, { endpoint, secret });
  });
}
