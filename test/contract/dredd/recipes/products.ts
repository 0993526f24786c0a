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
  const ask = await offer(scene);
  await scene.merchant.call('POST', `/product-offers/${ask.path!.id}/archive`);
  return ask;
};

const wrongType: Recipe = async (scene) => ({ ...(await offer(scene)), body: { amount: 4_990 } });

const moved = (ready: Recipe) => ({
  200: ready,
  404: ofNothing('id')(ready),
  409: inFlight(ready, 'offers'),
  422: keyReused(ready),
  ...guarded(ready),
});

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
  createProduct: {
    201: create,
    409: inFlight(create, 'products'),
    422: noName,
    ...bodied(create),
    ...guarded(create),
  },
  listProducts: { 200: list, 422: pageTooLong(list), ...guarded(list) },
  getProduct: { 200: one, 404: ofNothing('id')(one), 422: unknownParameter(one), ...guarded(one) },
  updateProduct: { 200: one, 404: ofNothing('id')(one), 422: longName, ...bodied(one), ...guarded(one) },
  createOffer: {
    201: createOffer,
    404: ofNothing('id')(createOffer),
    409: inFlight(createOffer, 'offers'),
    422: gap,
    ...bodied(createOffer),
    ...guarded(createOffer),
  },
  listOffers: {
    200: listOffers,
    404: ofNothing('id')(listOffers),
    422: pageTooLong(listOffers),
    ...guarded(listOffers),
  },
  getOffer: { 200: offer, 404: ofNothing('id')(offer), 422: unknownParameter(offer), ...guarded(offer) },
  updateOffer: {
    200: offer,
    404: ofNothing('id')(offer),
    422: wrongType,
    ...bodied(offer),
    ...guarded(offer),
  },
  archiveOffer: moved(offer),
  restoreOffer: moved(archived),
};
