import { cardRefusal, isCardRefusalCode } from '../../../domain/payments/refusal-reasons.ts';
import { type Answer, decide, repeatAnswer } from '../answers.ts';
import { BEHAVIOURS, type BehaviourName, type CallBehaviour } from '../behaviours.ts';
import { pendingPayment } from '../create-payment.ts';
import { transaction } from '../database.ts';
import type { Fields } from '../fields.ts';
import { insertOperation, insertPayment, type Operation } from '../operations.ts';
import type { Payment } from '../payments.ts';
import { walletCredential } from '../random.ts';
import type { Simulator } from '../simulator.ts';
import { cardOfToken } from './browser-wallet.ts';
import type { CreationRequest } from './method.ts';

/** The request does not name its customer. */
const NO_CUSTOMER = { id: '', document: null };

/**
 * Verifies the card in a wallet by an authorization of 0, and issues a credential by which it is charged later. Scripts
 * do not decide it.
 */
export async function issueCredential(
  simulator: Simulator,
  request: Pick<CreationRequest, 'account' | 'reference' | 'requestedAt'>,
  fields: Fields,
): Promise<Answer> {
  const credential = walletCredential();
  const payment: Payment = {
    ...pendingPayment({ ...request, amount_centavos: 0, customer: NO_CUSTOMER }),
    method: 'browser_wallet',
    ...cardOfToken(simulator.walletTokenKey, fields, NO_CUSTOMER.document),
    state: 'authorized',
    credential,
  };
  const { account, reference, requestedAt } = request;
  const operation: Operation = {
    account,
    reference,
    kind: 'wallet_credential',
    paymentReference: null,
    method: null,
    amount_centavos: null,
    requestedAt,
  };
  const { recorded, outcome } = decide(verification(payment.behaviour), null, {
    stored_credential: credential,
  });
  const isNew = await transaction(simulator.pool, (tx) =>
    recorded?.status === 'approved'
      ? insertPayment(tx, { operation, outcome: recorded, payment })
      : insertOperation(tx, operation, recorded),
  );
  return isNew ? { outcome } : repeatAnswer(simulator.pool, operation);
}

/** A verification needs no funds, so it is refused only for reasons that also hold for every later charge. */
function verification(behaviour: BehaviourName): CallBehaviour {
  const { outcome }: CallBehaviour = BEHAVIOURS[behaviour].authorize ?? { outcome: 'approve' };
  const isRetryable = isCardRefusalCode(outcome) && cardRefusal(outcome).retryable;
  return { outcome: isRetryable ? 'approve' : outcome };
}
