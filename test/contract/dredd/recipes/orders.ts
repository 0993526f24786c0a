import { randomUUID } from 'node:crypto';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { createAnswers, listAnswers, readAnswers } from '../usual-answers.ts';

/** The contract's own example, with a customer and a card that are there. */
async function order({ merchant, example }: Scene) {
  const { id: customerId } = await merchant.customer();
  const { id: cardId } = await merchant.card(customerId);
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

/** As the first examples show it. */
async function paidByPix({ merchant }: Scene) {
  const order = await merchant.order({ method: 'pix', amount: 4_990 });
  await merchant.call('POST', `/sandbox/payments/${order.code}/simulate`, { body: { outcome: 'paid' } });
  return order;
}

const list: Recipe = async (scene) => {
  const { code, customer_id } = await paidByPix(scene);
  return { query: { per_page: '20', code, customer_id, status: 'paid' } };
};

const read: Recipe = async (scene) => ({ path: { identifier: (await paidByPix(scene)).code } });

export const orders: RecipesOf<'createOrder' | 'listOrders' | 'getOrder'> = {
  listOrders: listAnswers(list),
  getOrder: readAnswers(read, 'identifier'),
  createOrder: createAnswers(place, 'orders', wrongSum),
};
