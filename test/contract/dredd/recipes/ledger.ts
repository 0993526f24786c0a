import { newEmail } from '../../../support/orders/parties.ts';
import type { Recipe, RecipesOf } from '../recipe.ts';
import { guarded, unknownParameter } from '../refusals.ts';
import { listAnswers, readAnswers } from '../usual-answers.ts';

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
  getRecipientBalance: readAnswers(recipientBalance, 'identifier'),
  listLedgerEntries: listAnswers(entries),
};
