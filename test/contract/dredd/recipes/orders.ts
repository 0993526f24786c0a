import { randomUUID } from 'node:crypto';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodied, guarded, inFlight } from '../refusals.ts';

/** The contract's own example, with a customer and a card that are there. */
async function order({ shop, example }: Scene) {
  const { id: customerId } = await shop.customer();
  const { id: cardId } = await shop.card(customerId);
  const { payment } = example.body;
  return {
    ...example.body,
    code: randomUUID(),
    customer: { id: customerId },
    payment: { ...payment, credit_card: { ...payment.credit_card, id: cardId } },
  };
}

const place: Recipe = async (scene) => ({ body: await order(scene) });

const wrongSum: Recipe = async (scene) => {
  const body = await order(scene);
  return { body: { ...body, mcc: '5812', payment: { ...body.payment, amount: 15_991 } } };
};

export const orders: RecipesOf<'createOrder'> = {
  createOrder: {
    201: place,
    409: inFlight(place, 'orders'),
    422: wrongSum,
    ...bodied(place),
    ...guarded(place),
  },
};
