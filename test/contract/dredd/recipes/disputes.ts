import type { Json } from '../../../support/service.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodyRefusals, guarded, inFlight, pageTooLong, unknownId, unknownParameter } from '../refusals.ts';

async function simulate({ merchant }: Scene, { payment_id }: Json, outcome: string, reason?: string) {
  await merchant.call('POST', `/sandbox/payments/${payment_id}/simulate`, { body: { outcome, reason } });
}

async function disputed(scene: Scene): Promise<Json> {
  const { payment } = await scene.merchant.order();
  await simulate(scene, { payment_id: payment.id }, 'chargeback_requested', 'product_not_received');
  const { data } = await scene.merchant.call('GET', `/disputes?payment_id=${payment.id}`);
  return data[0];
}

const list: Recipe = async (scene) => {
  const { payment_id } = await disputed(scene);
  return { query: { per_page: '20', status: 'requested', payment_id } };
};

const one: Recipe = async (scene) => ({ path: { id: (await disputed(scene)).id } });

const decided: Recipe = async (scene) => {
  const dispute = await disputed(scene);
  await simulate(scene, dispute, 'chargeback_lost');
  return { path: { id: dispute.id } };
};

export const disputes: RecipesOf<'listDisputes' | 'getDispute' | 'submitEvidence'> = {
  listDisputes: { 200: list, 422: pageTooLong(list), ...guarded(list) },
  getDispute: { 200: one, 404: unknownId('id')(one), 422: unknownParameter(one), ...guarded(one) },
  submitEvidence: {
    200: one,
    404: unknownId('id')(one),
    409: inFlight(one, 'disputes'),
    422: decided,
    ...bodyRefusals(one),
    ...guarded(one),
  },
};
