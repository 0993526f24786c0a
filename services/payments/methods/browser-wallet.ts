import { isWalletTokenUsed, useWalletToken } from '../../../db/payments/methods/wallet-tokens.ts';
import type { CardBrand } from '../../../domain/cards/card-number.ts';
import { operationReference } from '../../../domain/identifiers.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { WalletDetails } from '../../../domain/payments/methods/browser-wallet.ts';
import type { WalletTokenContent } from '../../../gateway/acquirer.ts';
import { type Deps, now } from '../../deps.ts';
import { invalid, Refusal } from '../../refusal.ts';
import { ownsDomain } from '../../wallet/owns-domain.ts';
import { approvalMoves, missingAuthorization, statementDescriptor } from './authorization.ts';
import type { PaymentMethodModule } from './method.ts';

/** The part of an order about its wallet. */
interface WalletInput {
  /** As the wallet handed it over. */
  readonly browserWalletToken: string;
  /** Default: the merchant's name. */
  readonly statementDescriptor?: string;
  /** False: the amount is only reserved. Default: true. */
  readonly capture?: boolean;
  /** Hours until the amount is captured. Absent: at once. */
  readonly captureDelayHours?: number;
}

const TOKEN = 'payment.browserWallet.browserWalletToken';
const NOT_READABLE = 'Must be a token as the wallet handed it over.';
const FOREIGN = 'The token is not of a domain that you have verified.';
const OTHER_BRAND = 'The brand of the card in the wallet is not accepted.';
const USED = 'The token was used before.';

const RETRY_AFTER_S = 1;

type WalletCard = WalletTokenContent & { readonly brand: CardBrand };

export const browserWallet: PaymentMethodModule<'browser_wallet', WalletInput> = {
  inputField: 'browserWallet',
  check(violations, { capture, captureDelayHours }) {
    if (captureDelayHours === undefined || capture !== false) return;
    violations.add('payment.browserWallet.captureDelayHours', 'Is only possible with `capture` true.');
  },
  async prepare(deps, merchant, input) {
    const read = await readToken(deps, merchant, input.browserWalletToken);
    if ('problem' in read) throw invalid({ [TOKEN]: read.problem });
    const { token } = read;
    return {
      async lock(tx, resolving) {
        const [, isFirst] = await Promise.all([resolving, useWalletToken(tx, merchant, token.tokenId)]);
        if (!isFirst) throw invalid({ [TOKEN]: USED });
      },
      details: () => walletDetails(merchant, input, token),
      take: async () => ({
        command: ({ details, installments, mcc }, common) => ({
          ...common,
          kind: 'authorize',
          capture: !details.manualCapture,
          installments,
          mcc,
          statementDescriptor: details.statementDescriptor,
          walletToken: input.browserWalletToken,
        }),
      }),
    };
  },
  async findViolations(deps, merchant, violations, { browserWalletToken }) {
    const read = await readToken(deps, merchant, browserWalletToken);
    if ('problem' in read) violations.add(TOKEN, read.problem);
    else if (await isWalletTokenUsed(deps.db, merchant, read.token.tokenId)) violations.add(TOKEN, USED);
  },

  contradiction: () => null,
  movesOnApproval: approvalMoves,
  async recordApproval() {},
  missingDetails: missingAuthorization,
  transferDetails: () => ({}),
};

/** Asks the acquirer what a token contains, and checks that its domain is the merchant's. Refusal: `unavailable`. */
async function readToken(
  deps: Deps,
  merchant: Merchant,
  walletToken: string,
): Promise<{ readonly token: WalletCard } | { readonly problem: string }> {
  const read = await deps.acquirer.perform({
    kind: 'wallet_token',
    reference: operationReference(merchant.slot, deps.random),
    account: merchant.merchantId,
    requestedAt: now(deps, merchant),
    walletToken,
  });
  if (read.kind === 'unknown') {
    throw new Refusal('unavailable', {
      message: 'The wallet token cannot be checked at the moment. Try again shortly.',
      retryAfter_s: RETRY_AFTER_S,
      cause: read.cause,
    });
  }
  if (read.kind === 'invalid') return { problem: NOT_READABLE };
  if (!(await ownsDomain(deps, merchant, read.domainName))) return { problem: FOREIGN };
  const { brand } = read;
  return brand === null ? { problem: OTHER_BRAND } : { token: { ...read, brand } };
}

function walletDetails(merchant: Merchant, input: WalletInput, token: WalletCard): WalletDetails {
  const { wallet, brand, last4 } = token;
  const { capture = true, captureDelayHours } = input;
  return {
    wallet,
    brand,
    last4,
    statementDescriptor: statementDescriptor(merchant, input),
    manualCapture: !capture || captureDelayHours !== undefined,
    ...(captureDelayHours !== undefined && { captureDelay_hours: captureDelayHours }),
    authorizationCode: null,
  };
}
