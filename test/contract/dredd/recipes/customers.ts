import { newEmail } from '../../../support/parties.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodied, guarded, inFlight, ofNothing, pageTooLong, unknownParameter } from '../refusals.ts';

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
  createCustomer: {
    201: create,
    409: inFlight(create, 'customers'),
    422: emailTaken,
    ...bodied(create),
    ...guarded(create),
  },
  listCustomers: { 200: list, 422: pageTooLong(list), ...guarded(list) },
  getCustomer: {
    200: one,
    400: noIdentifier,
    404: ofNothing('identifier')(one),
    422: unknownParameter(one),
    ...guarded(one),
  },
  updateCustomer: {
    200: one,
    404: ofNothing('identifier')(one),
    422: emailOfAnother,
    ...bodied(one),
    ...guarded(one),
  },
  listCustomerCards: {
    200: cards,
    400: noIdentifier,
    404: ofNothing('identifier')(cards),
    422: pageTooLong(cards),
    ...guarded(cards),
  },
};
