import { advanceClock } from './advance-clock.ts';
import { authorizeMandate } from './authorize-mandate.ts';
import { cancelMandate } from './cancel-mandate.ts';
import { createScript } from './create-script.ts';
import { createWalletSession } from './create-wallet-session.ts';
import { createWalletToken } from './create-wallet-token.ts';
import { deleteScript } from './delete-script.ts';
import { getClock } from './get-clock.ts';
import { listEmails } from './list-emails.ts';
import { listScripts } from './list-scripts.ts';
import { resetSandbox } from './reset-sandbox.ts';
import { simulatePayment } from './simulate-payment.ts';
import { updateWebhookFaults } from './update-webhook-faults.ts';

export const sandbox = {
  advanceClock,
  authorizeMandate,
  cancelMandate,
  createScript,
  createWalletSession,
  createWalletToken,
  deleteScript,
  getClock,
  listEmails,
  listScripts,
  resetSandbox,
  simulatePayment,
  updateWebhookFaults,
};
