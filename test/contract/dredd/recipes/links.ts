import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { actionAnswers, createAnswers, listAnswers, readAnswers, updateAnswers } from '../usual-answers.ts';

const create: Recipe = async ({ example }) => ({ body: example.body });

const badFields: Recipe = async ({ example }) => ({
  body: {
    ...example.body,
    payment_methods: ['pix'],
    expires_at: '2020-01-01T00:00:00Z',
    max_installments: 1,
    interest_free_installments: 1,
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
  const request = await one(scene);
  await scene.merchant.call('POST', `/payment-links/${request.path!.id}/disable`);
  return request;
};

const badUpdate: Recipe = async (scene) => ({
  ...(await one(scene)),
  body: { max_installments: 6, interest_free_installments: 7 },
});

export const links: RecipesOf<
  | 'createPaymentLink'
  | 'listPaymentLinks'
  | 'getPaymentLink'
  | 'updatePaymentLink'
  | 'disablePaymentLink'
  | 'enablePaymentLink'
> = {
  createPaymentLink: createAnswers(create, 'payment_links', badFields),
  listPaymentLinks: listAnswers(list),
  getPaymentLink: readAnswers(one),
  updatePaymentLink: updateAnswers(one, badUpdate),
  disablePaymentLink: actionAnswers(one, 'payment_links'),
  enablePaymentLink: actionAnswers(disabled, 'payment_links'),
};
