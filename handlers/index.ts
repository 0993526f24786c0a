import { account } from './account/index.ts';
import { cards } from './cards/index.ts';
import { checkout } from './checkout/index.ts';
import { customers } from './customers/index.ts';
import { disputes } from './disputes/index.ts';
import { events } from './events/index.ts';
import type { Handlers } from './http/handler.ts';
import { ledger } from './ledger/index.ts';
import { links } from './links/index.ts';
import { orders } from './orders/index.ts';
import { payments } from './payments/index.ts';
import { products } from './products/index.ts';
import { recipients } from './recipients/index.ts';
import { sandbox } from './sandbox/index.ts';
import { subscriptions } from './subscriptions/index.ts';
import { wallet } from './wallet/index.ts';
import { webhooks } from './webhooks/index.ts';

/** The handler of each operation of the contract, by area. It does not compile while one is missing. */
export const handlers = {
  ...account,
  ...cards,
  ...checkout,
  ...customers,
  ...disputes,
  ...events,
  ...ledger,
  ...links,
  ...orders,
  ...payments,
  ...products,
  ...recipients,
  ...sandbox,
  ...wallet,
  ...subscriptions,
  ...webhooks,
} satisfies Handlers;
