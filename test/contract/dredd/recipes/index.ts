import type { Recipes } from '../recipe.ts';
import { account } from './account.ts';
import { cards } from './cards.ts';
import { checkout } from './checkout.ts';
import { customers } from './customers.ts';
import { disputes } from './disputes.ts';
import { events } from './events.ts';
import { ledger } from './ledger.ts';
import { links } from './links.ts';
import { orders } from './orders.ts';
import { payments } from './payments.ts';
import { products } from './products.ts';
import { recipients } from './recipients.ts';
import { sandbox } from './sandbox.ts';
import { subscriptions } from './subscriptions.ts';
import { wallet } from './wallet.ts';

import { webhooks } from './webhooks.ts';

/** How every documented answer of every operation is brought about. */
export const recipes: Recipes = {
  ...account,
  ...recipients,
  ...customers,
  ...cards,
  ...orders,
  ...payments,
  ...disputes,
  ...ledger,
  ...products,
  ...links,
  ...checkout,
  ...wallet,
  ...subscriptions,
  ...events,
  ...webhooks,
  ...sandbox,
};
