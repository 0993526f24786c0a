import {
  findWalletCredential,
  storeApprovedCredential,
} from '../../../db/payments/methods/wallet-credentials.ts';
import { operationReference } from '../../../domain/identifiers.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import { awaitedCredential } from '../../../domain/payments/methods/index.ts';
import type { WalletCredential } from '../../../domain/payments/methods/wallet-credential.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { ApprovalDetails } from '../../../gateway/acquirer.ts';
import { type Deps, now, type TransactionContext } from '../../deps.ts';
import { invalid, Refusal } from '../../refusal.ts';
import { Unreadable } from '../../vault/vault.ts';
import { approvalMoves } from './authorization.ts';
import { TOKEN, tokenNotChecked } from './wallet-token.ts';

/** The vault context of a sealed credential. */
export const walletCredentialContext = (id: string) => `wallet_credentials.credential:${id}`;

export type OpenCredential = WalletCredential & { readonly credential: string };

/**
 * A credential that the acquirer has approved. Throws `Unreadable` if it is not approved yet, or if it cannot be read.
 * Refuses with `unavailable` if it was deleted since the caller read its id.
 */
export async function openWalletCredential(
  deps: Deps,
  merchant: Merchant,
  credentialId: string,
): Promise<OpenCredential> {
  const found = await findWalletCredential(deps.db, merchant, credentialId);
  if (found === undefined) throw replacedMeanwhile();
  const { sealed, ...stored } = found;
  if (sealed === null)
    throw new Unreadable(`The acquirer has not approved the wallet credential ${credentialId}.`);
  const opened = await deps.vault.open(sealed, walletCredentialContext(credentialId));
  return { ...stored, credential: opened.toString('utf8') };
}

/** A credential is deleted when its subscription gets another means of payment, ends, or is deleted by a reset. */
function replacedMeanwhile(): Refusal {
  return new Refusal('unavailable', {
    message: 'The means of payment was replaced at the same time. Try again.',
    retryAfter_s: 1,
  });
}

/**
 * Has the card in a wallet verified without a charge, and returns the credential by which it is charged later.
 * Refusals: the field of the token, `unavailable`.
 */
export async function requestCredential(
  deps: Deps,
  merchant: Merchant,
  walletToken: string,
): Promise<string> {
  const outcome = await deps.acquirer.perform({
    kind: 'wallet_credential',
    reference: operationReference(merchant.slot, deps.random),
    account: merchant.merchantId,
    requestedAt: now(deps, merchant),
    walletToken,
  });
  switch (outcome.kind) {
    case 'approved':
      return outcome.storedCredential;
    case 'refused':
      throw invalid({ [TOKEN]: `The card in the wallet was refused (${outcome.refusal.code}).` });
    default:
      throw tokenNotChecked(outcome.kind === 'unknown' ? outcome.cause : outcome.kind);
  }
}

/** Whether an approval that is not applied yet lacks the credential that the payment asked for. */
export function lacksCredential(payment: Payment<'browser_wallet'>, approval: ApprovalDetails): boolean {
  if (awaitedCredential(payment) === null || approval.storedCredential !== undefined) return false;
  return approvalMoves(payment, approval).length > 0;
}

/**
 * Stores the credential that the approval of a payment brought, if the payment asked for one. Only an approval that
 * moves nothing can lack it.
 */
export async function storeCredential(
  { deps, tx, merchant }: TransactionContext,
  payment: Payment<'browser_wallet'>,
  { storedCredential }: ApprovalDetails,
): Promise<void> {
  const id = awaitedCredential(payment);
  if (id === null || storedCredential === undefined) return;
  const sealed = deps.vault.seal(storedCredential, walletCredentialContext(id));
  await storeApprovedCredential(tx, merchant, { id, sealed });
}
