import { newEmail } from '../../../support/parties.ts';
import type { Recipe, RecipesOf } from '../recipe.ts';
import { guarded, ofNothing, pageTooLong, unknownParameter } from '../refusals.ts';

const balance: Recipe = async ({ merchant }) => {
  await merchant.order();
  return {};
};

const entries: Recipe = async ({ merchant }) => {
  const { payment } = await merchant.order();
  await merchant.call('POST', `/payments/${payment.id}/refunds`, { body: { amount: 3_000 } });
  return { query: { per_page: '2', payment_id: payment.id, account: 'merchant' } };
};

const recipientBalance: Recipe = async ({ merchant, exampleOf }) => {
  const body = { ...exampleOf('createRecipient'), email: newEmail() };
  const { number } = await merchant.call('POST', '/recipients', { body });
  return { path: { identifier: String(number) } };
};

export const ledger: RecipesOf<'getBalance' | 'getRecipientBalance' | 'listLedgerEntries'> = {
  getBalance: { 200: balance, 422: unknownParameter(balance), ...guarded(balance) },
  getRecipientBalance: {
    200: recipientBalance,
    404: ofNothing('identifier')(recipientBalance),
    422: unknownParameter(recipientBalance),
    ...guarded(recipientBalance),
  },
  listLedgerEntries: { 200: entries, 422: pageTooLong(entries), ...guarded(entries) },
};
