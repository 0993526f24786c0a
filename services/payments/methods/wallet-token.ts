import { isWalletTokenUsed } from '../../../db/payments/methods/wallet-tokens.ts';
import type { CardBrand } from '../../../domain/cards/card-number.ts';
import { operationReference } from '../../../domain/identifiers.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { WalletTokenContent } from '../../../gateway/acquirer.ts';
import { type Deps, now } from '../../deps.ts';
import { invalid, Refusal } from '../../refusal.ts';
import { ownsDomain } from '../../wallet/owns-domain.ts';

export const TOKEN = 'payment.browserWallet.browserWalletToken';
export const USED = 'The token has already been used.';
const NOT_READABLE = 'Must be the unmodified token from the wallet.';
const FOREIGN = 'The token is not of a domain that you have verified.';
const EXPIRED = 'The token has expired. The buyer must confirm the payment again.';
const OTHER_BRAND = 'The brand of the card in the wallet is not accepted.';

const RETRY_AFTER_S = 1;

/** What a wallet's token contains. */
export type WalletCard = WalletTokenContent & { readonly brand: CardBrand };

/** Asks the acquirer what a token contains. Refusals: the field of the token, `unavailable`. */
export async function openToken(deps: Deps, merchant: Merchant, walletToken: string): Promise<WalletCard> {
  const read = await readToken(deps, merchant, walletToken);
  if ('problem' in read) throw invalid({ [TOKEN]: read.problem });
  return read.token;
}

/** Why a token cannot be used; undefined if it can. Refusal: `unavailable`. */
export async function tokenProblem(
  deps: Deps,
  merchant: Merchant,
  walletToken: string,
): Promise<string | undefined> {
  const read = await readToken(deps, merchant, walletToken);
  if ('problem' in read) return read.problem;
  return (await isWalletTokenUsed(deps.db, merchant, read.token.tokenId)) ? USED : undefined;
}

/** Checks that the acquirer can read the token, that it has not expired, and that its domain is the merchant's. */
async function readToken(
  deps: Deps,
  merchant: Merchant,
  walletToken: string,
): Promise<{ readonly token: WalletCard } | { readonly problem: string }> {
  const at = now(deps, merchant);
  const read = await deps.acquirer.perform({
    kind: 'wallet_token',
    reference: operationReference(merchant.slot, deps.random),
    account: merchant.merchantId,
    requestedAt: at,
    walletToken,
  });
  if (read.kind === 'unknown') throw tokenNotChecked(read.cause);
  if (read.kind === 'invalid') return { problem: NOT_READABLE };
  if (read.expiresAt <= at) return { problem: EXPIRED };
  if (!(await ownsDomain(deps, merchant, read.domainName))) return { problem: FOREIGN };
  const { brand } = read;
  return brand === null ? { problem: OTHER_BRAND } : { token: { ...read, brand } };
}

/** The refusal of a request whose token the acquirer did not check in time. */
export function tokenNotChecked(cause: string): Refusal {
  return new Refusal('unavailable', {
    message: 'The wallet token cannot be checked at the moment. Try again shortly.',
    retryAfter_s: RETRY_AFTER_S,
    cause,
  });
}
