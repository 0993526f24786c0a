import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import {
  bodied,
  guarded,
  inFlight,
  keyReused,
  ofNothing,
  pageTooLong,
  unknownParameter,
} from '../refusals.ts';

const create: Recipe = async ({ example }) => ({ body: example.body });

const badFields: Recipe = async ({ example }) => ({
  body: {
    ...example.body,
    payment_methods: ['pix'],
    expires_at: '2020-01-01T00:00:00Z',
    recurrence_interval: 'monthly',
  },
});

/** A stored payment link, made from the first example of createPaymentLink. */
function stored({ merchant, exampleOf }: Scene) {
  return merchant.call('POST', '/payment-links', { body: exampleOf('createPaymentLink') });
}

const list: Recipe = async (scene) => {
  await stored(scene);
  return { query: { per_page: '20', status: 'active' } };
};

const one: Recipe = async (scene) => ({ path: { id: (await stored(scene)).id } });

const disabled: Recipe = async (scene) => {
  const ask = await one(scene);
  await scene.merchant.call('POST', `/payment-links/${ask.path!.id}/disable`);
  return ask;
};

const badUpdate: Recipe = async (scene) => ({
  ...(await one(scene)),
  body: { max_installments: 6, interest_free_installments: 7 },
});

const moved = (ready: Recipe) => ({
  200: ready,
  404: ofNothing('id')(ready),
  409: inFlight(ready, 'payment_links'),
  422: keyReused(ready),
  ...guarded(ready),
});

export const links: RecipesOf<
  | 'createPaymentLink'
  | 'listPaymentLinks'
  | 'getPaymentLink'
  | 'updatePaymentLink'
  | 'disablePaymentLink'
  | 'enablePaymentLink'
> = {
  createPaymentLink: {
    201: create,
    409: inFlight(create, 'payment_links'),
    422: badFields,
    ...bodied(create),
    ...guarded(create),
  },
  listPaymentLinks: { 200: list, 422: pageTooLong(list), ...guarded(list) },
  getPaymentLink: { 200: one, 404: ofNothing('id')(one), 422: unknownParameter(one), ...guarded(one) },
  updatePaymentLink: {
    200: one,
    404: ofNothing('id')(one),
    422: badUpdate,
    ...bodied(one),
    ...guarded(one),
  },
  disablePaymentLink: moved(one),
  enablePaymentLink: moved(disabled),
};
