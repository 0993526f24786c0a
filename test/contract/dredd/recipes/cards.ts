import { ELO, type PlainCard, VISA } from '../../../support/cards/cards.ts';
import type { Recipe, RecipeRequest, RecipesOf, Scene } from '../recipe.ts';
import { bodyRefusals, guarded, inFlight, unknownId, unknownParameter } from '../refusals.ts';

/** More of them in a minute and a key may store no card at all (contract row 4.3). */
const FAILURES_ALLOWED = 60;

async function cardFor(
  { merchant }: Scene,
  customerId: string,
  card: Partial<PlainCard> = VISA,
): Promise<RecipeRequest> {
  return { body: { customer_id: customerId, encrypted: await merchant.encrypted(card) } };
}

const create: Recipe = async (scene) => cardFor(scene, (await scene.merchant.customer()).id);

/** A card that its customer has paid with. */
const known: Recipe = async (scene) => {
  const { customer_id } = await scene.merchant.order({ card: VISA });
  return cardFor(scene, customer_id, VISA);
};

/** The contract's example: encrypted under the key of another merchant. */
const unreadable: Recipe = async ({ merchant, example }) => ({
  body: { ...example.body, customer_id: (await merchant.customer()).id },
});

const badCard: Recipe = async (scene) =>
  cardFor(scene, (await scene.merchant.customer()).id, {
    ...VISA,
    number: '4242424242424241',
    expYear: '20',
  });

const ofNobody: Recipe = async (scene) => cardFor(scene, scene.example.body.customer_id);

const tooManyFailures: Recipe = async (scene) => {
  const key = await scene.merchant.keyThatMay('cards:write');
  const { body } = await unreadable(scene);
  const failed = Array.from({ length: FAILURES_ALLOWED }, () =>
    scene.merchant.try('POST', '/cards', { key, body }),
  );
  for (const { status } of await Promise.all(failed)) {
    if (status !== 400) throw new Error(`An unreadable card was answered ${status}.`);
  }
  return { key, body };
};

const one: Recipe = async ({ merchant }) => {
  const { id } = await merchant.card((await merchant.customer()).id);
  return { path: { uuid: id } };
};

const withoutDashes: Recipe = async (scene) => {
  const { path } = await one(scene);
  return { path: { uuid: path!.uuid!.replaceAll('-', '') } };
};

const key: Recipe = async () => ({});

const elo: Recipe = async ({ merchant }) => {
  const { id } = await merchant.card((await merchant.customer()).id, ELO);
  return { path: { uuid: id } };
};

/** The card of a subscription. */
const ofSubscription: Recipe = async ({ merchant }) => {
  const { id: customerId } = await merchant.customer();
  const { id } = await merchant.card(customerId);
  const body = {
    mcc: '5734',
    interval: 'monthly',
    customer: { id: customerId },
    payment: { amount: 4_990, payment_method: 'credit_card', credit_card: { id } },
  };
  await merchant.call('POST', '/charges/subscriptions', { body });
  return { path: { uuid: id } };
};

export const cards: RecipesOf<
  'createCard' | 'getCard' | 'deleteCard' | 'requestNetworkToken' | 'getCardEncryptionKey'
> = {
  createCard: {
    ...bodyRefusals(create),
    ...guarded(create),
    200: known,
    201: create,
    400: unreadable,
    404: ofNobody,
    409: inFlight(create, 'cards'),
    422: badCard,
    429: tooManyFailures,
  },
  getCardEncryptionKey: { 200: key, 422: unknownParameter(key), ...guarded(key) },
  getCard: {
    200: one,
    400: withoutDashes,
    404: unknownId('uuid')(one),
    422: unknownParameter(one),
    ...guarded(one),
  },
  deleteCard: {
    204: one,
    400: withoutDashes,
    404: unknownId('uuid')(one),
    409: ofSubscription,
    422: unknownParameter(one),
    ...guarded(one),
  },
  requestNetworkToken: {
    200: one,
    400: withoutDashes,
    404: unknownId('uuid')(one),
    409: inFlight(one, 'cards'),
    422: elo,
    ...guarded(one),
  },
};
