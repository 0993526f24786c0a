import { cardDocument, encryptJwe, VISA } from '../../../support/cards/cards.ts';
import type { Json } from '../../../support/service.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { inFlight, overloaded, oversize, plainText, unknownId, unknownParameter } from '../refusals.ts';

const NO_FUNDS = '4000000000009995';

/** The page of a payment link from the contract's first example. */
async function linkOf({ merchant, exampleOf }: Scene): Promise<Json> {
  return merchant.call('POST', '/payment-links', { body: exampleOf('createPaymentLink') });
}

const page: Recipe = async (scene) => ({ key: null, path: { hash: (await linkOf(scene)).hash } });

const badAmount: Recipe = async (scene) => ({ ...(await page(scene)), query: { amount: '0' } });

const pay: Recipe = async (scene) => ({ ...(await page(scene)), body: scene.example.body });

const otherPrice: Recipe = async (scene) => {
  const { phone: _, ...customer } = scene.example.body.customer;
  return { ...(await pay(scene)), body: { ...scene.example.body, amount: 15_991, customer } };
};

/** The body of a payment by a card without funds. */
async function refusedCard({ merchant, example }: Scene, hash: string): Promise<Json> {
  const { card_encryption_key: key } = await merchant.call('GET', `/checkout/${hash}`, { key: null });
  const encrypted = await encryptJwe(cardDocument({ ...VISA, number: NO_FUNDS }), key.jwk);
  const { customer } = example.body;
  return { payment_method: 'credit_card', customer, credit_card: { encrypted } };
}

/** A card whose encrypted text was modified. */
const unreadable: Recipe = async (scene) => {
  const { hash } = await linkOf(scene);
  const body = await refusedCard(scene, hash);
  const encrypted = `${body.credit_card.encrypted.slice(0, -4)}AAAA`;
  return { key: null, path: { hash }, body: { ...body, credit_card: { encrypted } } };
};

/** After five tries with one card. */
const triedOften: Recipe = async (scene) => {
  const { hash } = await linkOf(scene);
  const body = await refusedCard(scene, hash);
  for (let i = 0; i < 5; i += 1) {
    await scene.merchant.call('POST', `/checkout/${hash}/payments`, { key: null, body });
  }
  return { key: null, path: { hash }, body };
};

const paid: Recipe = async (scene) => {
  const { merchant, exampleOf } = scene;
  const { id, hash: page } = await linkOf(scene);
  const body = exampleOf('createCheckoutPayment');
  const { hash } = await merchant.call('POST', `/checkout/${page}/payments`, { key: null, body });
  const { data } = await merchant.call('GET', `/payments?payment_link_id=${id}`);
  await merchant.call('POST', `/sandbox/payments/${data[0].id}/simulate`, { body: { outcome: 'paid' } });
  return { key: null, path: { hash } };
};

const usedUp =
  (what: 'page' | 'payment' | 'subscription'): Recipe =>
  async ({ target }) => ({ key: null, path: { hash: (await target.usedUpPage())[what] } });

const notApproved: Recipe = async (scene) => ({
  key: null,
  path: { hash: await scene.target.notApprovedPage() },
  body: scene.example.body,
});

/** The page of the recurring payment link from the contract's example, without its trial: the first charge is made. */
async function recurringLinkOf({ merchant, exampleOf }: Scene): Promise<Json> {
  const { recurrence_trial_days: _, ...body } = exampleOf('createPaymentLink', 'payment_link_recurring');
  return merchant.call('POST', '/payment-links', { body });
}

/** Subscribes by a card at a page. */
async function subscriptionAt(scene: Scene, hash: string, number = VISA.number) {
  const { merchant, exampleOf } = scene;
  const shown = await merchant.call('GET', `/checkout/${hash}`, { key: null });
  const encrypted = await encryptJwe(cardDocument({ ...VISA, number }), shown.card_encryption_key.jwk);
  const body = exampleOf('createCheckoutSubscription');
  const { terms } = shown.recurrence;
  return { key: null, path: { hash }, body: { ...body, terms, credit_card: { encrypted } } };
}

const subscribe: Recipe = async (scene) => subscriptionAt(scene, (await recurringLinkOf(scene)).hash);

const unreadableCard: Recipe = async (scene) => {
  const { path, body } = await subscriptionAt(scene, (await recurringLinkOf(scene)).hash);
  const encrypted = `${body.credit_card.encrypted.slice(0, -4)}AAAA`;
  return { key: null, path, body: { ...body, credit_card: { encrypted } } };
};

const otherTerms: Recipe = async (scene) => {
  const { path, body } = await subscriptionAt(scene, (await recurringLinkOf(scene)).hash);
  return { key: null, path, body: { ...body, terms: 'other' } };
};

/** After five tries with one card. */
const subscribedOften: Recipe = async (scene) => {
  const { merchant } = scene;
  const { hash } = await recurringLinkOf(scene);
  const sent = await subscriptionAt(scene, hash, NO_FUNDS);
  for (let i = 0; i < 5; i += 1) {
    await merchant.call('POST', `/checkout/${hash}/subscriptions`, { key: null, body: sent.body });
  }
  return sent;
};

const subscribed: Recipe = async (scene) => {
  const { path, body } = await subscriptionAt(scene, (await recurringLinkOf(scene)).hash);
  const { hash } = await scene.merchant.call('POST', `/checkout/${path.hash}/subscriptions`, {
    key: null,
    body,
  });
  return { key: null, path: { hash } };
};

export const checkout: RecipesOf<
  | 'getCheckout'
  | 'createCheckoutPayment'
  | 'getCheckoutPayment'
  | 'getCheckoutPaymentEvents'
  | 'createCheckoutSubscription'
  | 'getCheckoutSubscription'
> = {
  getCheckout: {
    200: page,
    404: unknownId('hash')(page),
    422: badAmount,
    429: usedUp('page'),
    503: overloaded(page),
  },
  createCheckoutPayment: {
    201: pay,
    400: unreadable,
    403: notApproved,
    404: unknownId('hash')(pay),
    409: inFlight(pay, 'payment_link_places'),
    413: oversize(pay),
    415: plainText(pay),
    422: otherPrice,
    429: triedOften,
    503: overloaded(pay),
  },
  getCheckoutPayment: {
    200: paid,
    404: unknownId('hash')(paid),
    422: unknownParameter(paid),
    429: usedUp('payment'),
    503: overloaded(paid),
  },
  createCheckoutSubscription: {
    201: subscribe,
    400: unreadableCard,
    403: notApproved,
    404: unknownId('hash')(subscribe),
    409: inFlight(subscribe, 'subscriptions'),
    413: oversize(subscribe),
    415: plainText(subscribe),
    422: otherTerms,
    429: subscribedOften,
    503: overloaded(subscribe),
  },
  getCheckoutSubscription: {
    200: subscribed,
    404: unknownId('hash')(subscribed),
    422: unknownParameter(subscribed),
    429: usedUp('subscription'),
    503: overloaded(subscribed),
  },
  getCheckoutPaymentEvents: {
    200: paid,
    404: unknownId('hash')(paid),
    422: unknownParameter(paid),
    429: usedUp('payment'),
    503: overloaded(paid),
  },
};
