import { insertWalletCredential } from '../../../db/payments/methods/wallet-credentials.ts';
import { isWalletTokenUsed, useWalletToken } from '../../../db/payments/methods/wallet-tokens.ts';
import { uuidV7 } from '../../../domain/identifiers.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { WalletDetails } from '../../../domain/payments/methods/browser-wallet.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { CommandOf, CreationFields } from '../../../gateway/acquirer.ts';
import { type Deps, now } from '../../deps.ts';
import { invalid } from '../../refusal.ts';
import { descriptorOfInput } from './authorization.ts';
import type { PreparedPayment } from './method.ts';
import {
  type OpenCredential,
  openWalletCredential,
  requestCredential,
  walletCredentialContext,
} from './wallet-credential.ts';
import { openToken, TOKEN, USED, type WalletCard } from './wallet-token.ts';

/** The token from a buyer's wallet. */
export interface TokenInput {
  readonly browserWalletToken: string;
  /** Default: the merchant's name. */
  readonly statementDescriptor?: string;
  /** False: the amount is only reserved. Default: true. */
  readonly capture?: boolean;
  /** Hours until the amount is captured. Absent: at once. */
  readonly captureDelayHours?: number;
  /**
   * How a subscription gets the credential of its later charges: with the approval of the token's charge, or by a
   * verification of the card without a charge. Absent for an order, which has no later charges.
   */
  readonly credentialBy?: 'charge' | 'verification';
}

/** The credential of an earlier approval or verification. */
export interface StoredWalletInput {
  readonly walletCredentialId: string;
  readonly statementDescriptor?: string;
}

type PreparedWallet = PreparedPayment<'browser_wallet'>;

/** A payment by a wallet's token. Refusals: the field of the token, `unavailable`. */
export async function prepareToken(
  deps: Deps,
  merchant: Merchant,
  input: TokenInput,
): Promise<PreparedWallet> {
  const token = await openToken(deps, merchant, input.browserWalletToken);
  if (input.credentialBy === 'verification') return prepareVerified(deps, merchant, input, token);
  const storesCredential = input.credentialBy === 'charge';
  const credential = storesCredential ? newCredential(deps, merchant, token, null) : null;
  return {
    ...(credential !== null && { walletCredentialId: credential.id }),
    async lock(tx, resolving) {
      const [, isFirst] = await Promise.all([resolving, useWalletToken(tx, merchant, token)]);
      if (!isFirst) throw invalid({ [TOKEN]: USED });
      if (credential !== null) await insertWalletCredential(tx, merchant, credential);
    },
    details: () => ({
      ...walletDetails(merchant, input, token),
      ...(credential !== null && { credentialId: credential.id, storesCredential: true }),
    }),
    take: async () => ({
      command: (payment, common) => ({
        ...authorization(payment, common),
        walletToken: input.browserWalletToken,
        storesCredential,
      }),
    }),
  };
}

/** A payment by a credential that is stored. */
export async function prepareStored(
  deps: Deps,
  merchant: Merchant,
  input: StoredWalletInput,
): Promise<PreparedWallet> {
  const stored = await openWalletCredential(deps, merchant, input.walletCredentialId);
  return { ...byCredential(merchant, input, stored), async lock() {} };
}

/** The same for a token, for which the acquirer issues a credential now. */
async function prepareVerified(
  deps: Deps,
  merchant: Merchant,
  input: TokenInput,
  token: WalletCard,
): Promise<PreparedWallet> {
  if (await isWalletTokenUsed(deps.db, merchant, token.tokenId)) throw invalid({ [TOKEN]: USED });
  const credential = await requestCredential(deps, merchant, input.browserWalletToken);
  const stored = newCredential(deps, merchant, token, credential);
  return {
    ...byCredential(merchant, input, { ...stored, credential }),
    walletCredentialId: stored.id,
    async lock(tx, resolving) {
      const [, isFirst] = await Promise.all([resolving, useWalletToken(tx, merchant, token)]);
      if (!isFirst) throw invalid({ [TOKEN]: USED });
      await insertWalletCredential(tx, merchant, stored);
    },
  };
}

function byCredential(
  merchant: Merchant,
  input: Pick<TokenInput, 'statementDescriptor'>,
  stored: OpenCredential,
): Omit<PreparedWallet, 'lock'> {
  return {
    details: () => ({ ...walletDetails(merchant, input, stored), credentialId: stored.id }),
    take: async () => ({
      command: (payment, common) => ({
        ...authorization(payment, common),
        storedCredential: stored.credential,
      }),
    }),
  };
}

/** The row of a new credential. `credential` is null until the acquirer has approved it. */
function newCredential(
  deps: Deps,
  merchant: Merchant,
  { wallet, brand, last4 }: WalletCard,
  credential: string | null,
) {
  const createdAt = now(deps, merchant);
  const id = uuidV7(createdAt.getTime(), deps.random);
  const sealed = credential === null ? null : deps.vault.seal(credential, walletCredentialContext(id));
  return { id, wallet, brand, last4, sealed, createdAt };
}

function authorization(
  { details, installments, mcc }: Payment<'browser_wallet'>,
  common: CreationFields,
): Omit<CommandOf<'authorize'>, 'card'> {
  return {
    ...common,
    kind: 'authorize',
    capture: !details.manualCapture,
    installments,
    mcc,
    statementDescriptor: details.statementDescriptor,
    processingModel: null,
  };
}

function walletDetails(
  merchant: Merchant,
  input: Omit<TokenInput, 'browserWalletToken'>,
  { wallet, brand, last4 }: Pick<WalletDetails, 'wallet' | 'brand' | 'last4'>,
): WalletDetails {
  const { capture = true, captureDelayHours } = input;
  return {
    wallet,
    brand,
    last4,
    statementDescriptor: descriptorOfInput(merchant, input),
    manualCapture: !capture || captureDelayHours !== undefined,
    ...(captureDelayHours !== undefined && { captureDelay_hours: captureDelayHours }),
    authorizationCode: null,
  };
}
