import type { SealedSecrets, StoredEndpoint } from '../../db/webhooks/endpoints.ts';
import type { QueueSettings } from '../../db/webhooks/queue-contents.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notificationSecretContext } from '../merchants/change-merchant.ts';
import type { Violations } from '../refusal.ts';
import { Unreadable } from '../vault/vault.ts';
import { newSecret, secretBytes } from './signature.ts';

/**
 * The vault's context for the secrets of an endpoint. Both have the same, so that a rotation can move the sealed value.
 */
export const endpointSecretContext = (endpointId: string) => `webhook_endpoints.secret:${endpointId}`;

/** A secret that a merchant sends. Null: none. Undefined: the service generates one. */
export type GivenSecret = string | null | undefined;

/** Refuses a `secret` that is not in the form of Standard Webhooks. */
export function checkSecret(violations: Violations, secret: GivenSecret): void {
  if (typeof secret === 'string' && secretBytes(secret) === undefined) {
    violations.add('secret', 'Must be whsec_ followed by 24 to 64 bytes in base64.');
  }
}

/** The given secret, or a new one if it is undefined. */
export function chosenSecret({ random }: Pick<Deps, 'random'>, secret: GivenSecret): string | null {
  return secret === undefined ? newSecret(random) : secret;
}

export function sealSecret(
  { vault }: Pick<Deps, 'vault'>,
  endpointId: string,
  secret: string | null,
): Buffer | null {
  return secret === null ? null : vault.seal(secret, endpointSecretContext(endpointId));
}

/**
 * The secrets that sign the deliveries of a queue at `wall`: its endpoint's, or the merchant's for a notification URL.
 * Null if the present one cannot be read.
 */
export async function queueSecrets(
  deps: Pick<Deps, 'vault' | 'log'>,
  scope: MerchantScope,
  { endpoint, notificationSecretSealed: sealed }: QueueSettings,
  wall: Date,
): Promise<string[] | null> {
  try {
    if (endpoint !== undefined) return await signingSecrets(deps, endpoint, wall);
    if (sealed === null) return [];
    return [(await deps.vault.open(sealed, notificationSecretContext(scope.merchantId))).toString('utf8')];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const fields = { merchant_id: scope.merchantId, endpoint_id: endpoint?.id, err: error };
    deps.log.error(fields, 'the secret of a webhook endpoint cannot be read');
    return null;
  }
}

/** The endpoint's secret, and the previous one until it expires. */
async function signingSecrets(
  deps: Pick<Deps, 'vault'>,
  { id, secretSealed, previousSecretSealed, previousSecretExpiresAt: until }: StoredEndpoint,
  wall: Date,
): Promise<string[]> {
  const open = async (sealed: Buffer | null) =>
    sealed === null ? null : (await deps.vault.open(sealed, endpointSecretContext(id))).toString('utf8');
  const secrets = await Promise.all([
    open(secretSealed),
    until !== null && wall < until ? open(previousSecretSealed).catch(skipUnreadable) : null,
  ]);
  return secrets.filter((secret) => secret !== null);
}

/** A merchant who rotates a secret that cannot be read any more gets signed deliveries at once. */
function skipUnreadable(error: unknown): null {
  if (error instanceof Unreadable) return null;
  throw error;
}

/** The fields of an endpoint that has no previous secret. */
export const NO_PREVIOUS_SECRET = {
  previousSecretSealed: null,
  previousSecretExpiresAt: null,
} satisfies Pick<SealedSecrets, 'previousSecretSealed'> & { previousSecretExpiresAt: null };
