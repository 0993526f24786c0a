import { createWalletDomain } from './create-wallet-domain.ts';
import { deleteWalletDomain } from './delete-wallet-domain.ts';
import { getWalletDomain } from './get-wallet-domain.ts';
import { listWalletDomains } from './list-wallet-domains.ts';
import { validateWalletSession } from './validate-wallet-session.ts';
import { verifyWalletDomain } from './verify-wallet-domain.ts';

export const wallet = {
  createWalletDomain,
  deleteWalletDomain,
  getWalletDomain,
  listWalletDomains,
  validateWalletSession,
  verifyWalletDomain,
};
