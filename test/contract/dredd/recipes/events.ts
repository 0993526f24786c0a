import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { listAnswers, readAnswers } from '../usual-answers.ts';

/** The payment of a refunded order, whose events are those of the examples. */
async function refunded({ merchant }: Scene) {
  const { payment } = await merchant.order({ capture: false });
  await merchant.call('POST', `/payments/${payment.id}/capture`);
  await merchant.call('POST', `/payments/${payment.id}/refunds`, { body: { amount: 3_000 } });
  return payment;
}

const list: Recipe = async (scene) => {
  const { id } = await refunded(scene);
  return { query: { per_page: '20', event: 'payment.refunded', payment_id: id } };
};

const read: Recipe = async (scene) => {
  const { id } = await refunded(scene);
  const query = new URLSearchParams({ event: 'payment.capture_confirmed', payment_id: id });
  const { data } = await scene.merchant.call('GET', `/events?${query}`);
  return { path: { id: data[0].id } };
};

export const events: RecipesOf<'listEvents' | 'getEvent'> = {
  listEvents: listAnswers(list),
  getEvent: readAnswers(read),
};
