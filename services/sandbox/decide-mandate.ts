import { findLatestMandate, findMandate } from '../../db/payments/mandates.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Mandate } from '../../domain/payments/mandate.ts';
import type { MandateState } from '../../domain/payments/mandate-moves.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import type { PayerDecision, SandboxControl, Simulated } from '../../gateway/sandbox-control.ts';
import { callSandbox } from '../call-sandbox.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notInThisState } from '../refusal.ts';
import { findSubscription, getSubscription } from '../subscriptions/find-subscription.ts';

export interface MandateDecision {
  /** The id or the code of the subscription. */
  readonly identifier: string;
  readonly isRerun: boolean;
}

/**
 * The payer authorizes the mandate of a subscription that was requested last. Returns the subscription after the
 * acquirer's notification was applied. Refusals: `not_found`, `wrong_state`, `unavailable`.
 */
export async function authorizeMandate<Answer>(
  deps: Deps,
  merchant: Merchant,
  decision: MandateDecision,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const { id } = await findSubscription(deps.db, merchant, decision.identifier);
  const mandate = await findLatestMandate(deps.db, merchant, id);
  const call: Decide = (sandbox, payer) => sandbox.authorizeMandate(payer);
  return decide(deps, merchant, { ...decision, mandate, becomes: 'authorized', call }, finish);
}

/** The payer ends the mandate by which a subscription is charged. Otherwise like `authorizeMandate`. */
export async function cancelMandate<Answer>(
  deps: Deps,
  merchant: Merchant,
  { reason, ...decision }: MandateDecision & { readonly reason: string | null },
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const mandate = await mandateOf(
    deps,
    merchant,
    await findSubscription(deps.db, merchant, decision.identifier),
  );
  const call: Decide = (sandbox, payer) => sandbox.cancelMandate({ ...payer, reason });
  return decide(deps, merchant, { ...decision, mandate, becomes: 'canceled', call }, finish);
}

function mandateOf(deps: Deps, merchant: Merchant, { mandateId }: Subscription) {
  return mandateId === null ? undefined : findMandate(deps.db, merchant, mandateId);
}

type Decide = (sandbox: SandboxControl, payer: PayerDecision) => Promise<Simulated>;

interface Decided extends MandateDecision {
  readonly mandate: Mandate | undefined;
  /** The state after the decision. */
  readonly becomes: MandateState;
  readonly call: Decide;
}

async function decide<Answer>(
  deps: Deps,
  merchant: Merchant,
  { identifier, isRerun, mandate, becomes, call }: Decided,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  if (mandate === undefined) throw notInThisState('The subscription has no mandate.');
  const wasDecided = isRerun && mandate.state === becomes;
  if (!wasDecided) {
    const payer = {
      account: merchant.merchantId,
      reference: mandate.reference,
      occurredAt: now(deps, merchant),
    };
    const result = await callSandbox(deps, (sandbox) => call(sandbox, payer));
    if (result.kind === 'not_allowed') throw notInThisState(result.why);
  }
  const shown = await getSubscription(deps, merchant, identifier);
  return deps.db.transaction(merchant, (tx) => finish(tx, shown));
}
