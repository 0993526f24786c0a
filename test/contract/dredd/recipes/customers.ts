import { newEmail } from '../../../support/orders/parties.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { unknownId } from '../refusals.ts';
import { createAnswers, listAnswers, readAnswers, updateAnswers } from '../usual-answers.ts';

const create: Recipe = async ({ example }) => ({ body: { ...example.body, email: newEmail() } });

/** A stored customer, made from the example of createCustomer. */
function stored({ merchant, exampleOf }: Scene) {
  return merchant.customer({ ...exampleOf('createCustomer'), email: newEmail() });
}

const emailTaken: Recipe = async (scene) => {
  const { email } = await stored(scene);
  return { body: { ...scene.example.body, email } };
};

const list: Recipe = async (scene) => {
  const { email } = await stored(scene);
  return { query: { per_page: '20', email, document: '52998224725' } };
};

const one: Recipe = async (scene) => ({ path: { identifier: (await stored(scene)).id } });

/** A control character: no identifier holds one. */
const noIdentifier: Recipe = async () => ({ path: { identifier: '\u0007' } });

const emailOfAnother: Recipe = async (scene) => {
  const [self, other] = await Promise.all([stored(scene), stored(scene)]);
  return { path: { identifier: self.id }, body: { email: other.email } };
};

const cards: Recipe = async (scene) => {
  const { id } = await stored(scene);
  await scene.merchant.card(id);
  return { path: { identifier: id } };
};

export const customers: RecipesOf<
  'createCustomer' | 'getCustomer' | 'listCustomers' | 'updateCustomer' | 'listCustomerCards'
> = {
  createCustomer: createAnswers(create, 'customers', emailTaken),
  listCustomers: listAnswers(list),
  getCustomer: { ...readAnswers(one, 'identifier'), 400: noIdentifier },
  updateCustomer: updateAnswers(one, emailOfAnother, 'identifier'),
  listCustomerCards: {
    ...listAnswers(cards),
    400: noIdentifier,
    404: unknownId('identifier')(cards),
  },
};
