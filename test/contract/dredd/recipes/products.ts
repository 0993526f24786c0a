import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { unknownId } from '../refusals.ts';
import { actionAnswers, createAnswers, listAnswers, readAnswers, updateAnswers } from '../usual-answers.ts';

const create: Recipe = async ({ example }) => ({ body: example.body });
const noName: Recipe = async () => ({ body: {} });

/** A stored product, made from the example of createProduct. */
function stored({ merchant, exampleOf }: Scene) {
  return merchant.call('POST', '/products', { body: exampleOf('createProduct') });
}

const list: Recipe = async (scene) => {
  const { name } = await stored(scene);
  return { query: { per_page: '20', name } };
};

const one: Recipe = async (scene) => ({ path: { id: (await stored(scene)).id } });

const longName: Recipe = async (scene) => ({ ...(await one(scene)), body: { name: 'x'.repeat(121) } });

const createOffer: Recipe = async (scene) => ({ ...(await one(scene)), body: scene.example.body });

const gap: Recipe = async (scene) => {
  const [first, second] = scene.example.body.cycles;
  const cycles = [first, { ...second, start: 5 }];
  return { ...(await one(scene)), body: { ...scene.example.body, cycles } };
};

/** A stored offer, made from the first example of createOffer. */
async function storedOffer(scene: Scene) {
  const { id } = await stored(scene);
  return scene.merchant.call('POST', `/products/${id}/offers`, { body: scene.exampleOf('createOffer') });
}

const listOffers: Recipe = async (scene) => {
  const { product_id } = await storedOffer(scene);
  return { path: { id: product_id }, query: { per_page: '20', type: 'recurring', is_active: 'true' } };
};

const offer: Recipe = async (scene) => ({ path: { id: (await storedOffer(scene)).id } });

const archived: Recipe = async (scene) => {
  const request = await offer(scene);
  await scene.merchant.call('POST', `/product-offers/${request.path!.id}/archive`);
  return request;
};

const wrongType: Recipe = async (scene) => ({ ...(await offer(scene)), body: { amount: 4_990 } });

export const products: RecipesOf<
  | 'createProduct'
  | 'listProducts'
  | 'getProduct'
  | 'updateProduct'
  | 'createOffer'
  | 'listOffers'
  | 'getOffer'
  | 'updateOffer'
  | 'archiveOffer'
  | 'restoreOffer'
> = {
  createProduct: createAnswers(create, 'products', noName),
  listProducts: listAnswers(list),
  getProduct: readAnswers(one),
  updateProduct: updateAnswers(one, longName),
  createOffer: { ...createAnswers(createOffer, 'offers', gap), 404: unknownId('id')(createOffer) },
  listOffers: { ...listAnswers(listOffers), 404: unknownId('id')(listOffers) },
  getOffer: readAnswers(offer),
  updateOffer: updateAnswers(offer, wrongType),
  archiveOffer: actionAnswers(offer, 'offers'),
  restoreOffer: actionAnswers(archived, 'offers'),
};
