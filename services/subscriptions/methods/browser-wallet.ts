import type { StoredWalletInput, TokenInput } from '../../payments/methods/prepare-wallet.ts';
import type { ChargeMethod } from './method.ts';

/** The wallet's token is charged once at most. The later charges use the credential that the acquirer issues for it. */
export const browserWallet: ChargeMethod = {
  firstInput(requested, isChargedNow): TokenInput {
    const { browserWalletToken, statementDescriptor } = requested as TokenInput;
    return {
      browserWalletToken,
      ...(statementDescriptor !== undefined && { statementDescriptor }),
      credentialBy: isChargedNow ? 'charge' : 'verification',
    };
  },
  laterInput: ({ walletCredentialId, statementDescriptor }): StoredWalletInput => ({
    walletCredentialId: walletCredentialId!,
    ...(statementDescriptor !== null && { statementDescriptor }),
  }),
  firstDue: null,
  isVerifiedBeforeCharge: true,
  hasInstallments: false,
};
