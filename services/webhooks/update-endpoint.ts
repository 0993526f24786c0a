import { updateEndpoint as updateEndpointRow } from '../../db/webhooks/endpoints.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Endpoint, EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import { ENDPOINT_MOVE_TO } from '../../domain/webhooks/endpoint-moves.ts';
import type { Deps, Finish } from '../deps.ts';
import { Violations } from '../refusal.ts';
import { destinationProblem } from './check-destination.ts';
import { checkSecret, NO_PREVIOUS_SECRET, sealSecret } from './endpoint-secrets.ts';
import { lockEndpoint } from './find-endpoint.ts';
import { moveEndpoint } from './move-endpoint.ts';

/** Any subset of the fields. */
export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly status?: EndpointStatus | undefined;
  /** Replaces the secret at once; null: deliveries are not signed. */
  readonly secret?: string | null | undefined;
}

/** Changes an endpoint under a lock on its row. Refusals: `url` and `secret`; `not_found`. */
export async function updateEndpoint<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, changes }: { readonly id: string; readonly changes: EndpointChanges },
  finish: Finish<Endpoint, Answer>,
): Promise<Answer> {
  const violations = new Violations();
  // Before the transaction: a look-up takes time.
  const problem = changes.url && (await destinationProblem(deps, merchant.merchantId, changes.url));
  if (problem) violations.add('url', problem);
  checkSecret(violations, changes.secret);
  return deps.db.transaction(merchant, async (tx) => {
    const stored = await lockEndpoint(tx, merchant, id);
    violations.throwIfAny();
    const { secret, status = stored.status, ...fields } = changes;
    const at = deps.wall();
    const secrets =
      secret === undefined
        ? {}
        : {
            ...NO_PREVIOUS_SECRET,
            secretSealed: sealSecret(deps, stored.id, secret),
            signed: secret !== null,
          };
    const changed = { ...stored, ...definedOf(fields), ...secrets, updatedAt: at };
    await updateEndpointRow(tx, merchant, changed);
    if (status === stored.status) return finish(tx, changed);
    const move = ENDPOINT_MOVE_TO[status];
    await moveEndpoint(tx, merchant, { id: stored.id, move, by: 'merchant', disabledReason: null, at });
    return finish(tx, { ...changed, status, disabledReason: null, failingSince: null, idleSince: null });
  });
}

type Fields = Pick<Endpoint, 'url' | 'events' | 'description'>;

function definedOf(fields: { readonly [Name in keyof Fields]?: Fields[Name] | undefined }): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
