import { approvalMoves, missingAuthorization } from './authorization.ts';
import type { PaymentMethodModule } from './method.ts';
import { prepareStored, prepareToken, type StoredWalletInput, type TokenInput } from './prepare-wallet.ts';
import { lacksCredential, storeCredential } from './wallet-credential.ts';
import { TOKEN, tokenProblem } from './wallet-token.ts';

/** What a request sends of a wallet, or what a subscription stores of it. */
type WalletInput = TokenInput | StoredWalletInput;

export const browserWallet: PaymentMethodModule<'browser_wallet', WalletInput> = {
  check(violations, input) {
    if (isStored(input) || input.captureDelayHours === undefined || input.capture !== false) return;
    violations.add('payment.browserWallet.captureDelayHours', 'Is only possible if {capture} is true.');
  },
  prepare: (deps, merchant, input) =>
    isStored(input) ? prepareStored(deps, merchant, input) : prepareToken(deps, merchant, input),
  async findViolations(deps, merchant, violations, input) {
    if (isStored(input)) return;
    const problem = await tokenProblem(deps, merchant, input.browserWalletToken);
    if (problem !== undefined) violations.add(TOKEN, problem);
  },

  contradiction: (payment, approval) => (lacksCredential(payment, approval) ? 'credential_missing' : null),
  movesOnApproval: approvalMoves,
  recordApproval: storeCredential,
  missingDetails: missingAuthorization,
  transferDetails: () => ({}),
};

function isStored(input: WalletInput): input is StoredWalletInput {
  return 'walletCredentialId' in input;
}
