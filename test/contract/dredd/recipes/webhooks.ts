import type { ContractMerchant } from '../merchant.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { guarded, inFlight, unknownId, unknownParameter } from '../refusals.ts';
import { actionAnswers, createAnswers, listAnswers, readAnswers, updateAnswers } from '../usual-answers.ts';

/** Most endpoints of a merchant, less those that one recipe makes. */
const ROOM = 15;

/** Makes room for a new endpoint where the merchant has nearly as many as it may have. */
async function makeRoom(merchant: ContractMerchant): Promise<void> {
  const { data } = await merchant.call('GET', '/webhook-endpoints?per_page=100');
  if (data.length < ROOM) return;
  for (const { id } of data) await merchant.call('DELETE', `/webhook-endpoints/${id}`);
}

/** A new endpoint, made from the example of createWebhookEndpoint. */
async function stored({ merchant, exampleOf }: Scene) {
  await makeRoom(merchant);
  return merchant.call('POST', '/webhook-endpoints', { body: exampleOf('createWebhookEndpoint') });
}

const create: Recipe = async ({ merchant }) => {
  await makeRoom(merchant);
  return {};
};

const noEvent: Recipe = async ({ example }) => ({ body: { ...example.body, events: [] } });

const list: Recipe = async (scene) => {
  await stored(scene);
  return { query: { per_page: '20' } };
};

const one: Recipe = async (scene) => ({ path: { id: (await stored(scene)).id } });

const badUpdate: Recipe = async (scene) => ({
  ...(await one(scene)),
  body: { url: 'https://loja:senha@loja.example.com/webhooks' },
});

async function disabled(scene: Scene) {
  const { id } = await stored(scene);
  return scene.merchant.call('PUT', `/webhook-endpoints/${id}`, { body: { status: 'disabled' } });
}

const ofDisabled: Recipe = async (scene) => ({ path: { id: (await disabled(scene)).id } });

/** A delivery. */
async function ping(scene: Scene) {
  const { id } = await stored(scene);
  return scene.merchant.call('POST', `/webhook-endpoints/${id}/ping`);
}

const delivery: Recipe = async (scene) => ({ path: { id: (await ping(scene)).id } });

const deliveries: Recipe = async (scene) => {
  const { endpoint_id } = await ping(scene);
  return { query: { per_page: '20', endpoint_id, event: 'ping' } };
};

const deliveryOfDisabled: Recipe = async (scene) => {
  const { id, endpoint_id } = await ping(scene);
  await scene.merchant.call('PUT', `/webhook-endpoints/${endpoint_id}`, { body: { status: 'disabled' } });
  return { path: { id } };
};

export const webhooks: RecipesOf<
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'pingWebhookEndpoint'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'redeliverWebhookDelivery'
> = {
  createWebhookEndpoint: createAnswers(create, 'webhook_endpoints', noEvent),
  listWebhookEndpoints: listAnswers(list),
  getWebhookEndpoint: readAnswers(one),
  updateWebhookEndpoint: updateAnswers(one, badUpdate),
  deleteWebhookEndpoint: {
    204: one,
    404: unknownId('id')(one),
    422: unknownParameter(one),
    ...guarded(one),
  },
  rotateWebhookSecret: actionAnswers(one, 'webhook_endpoints'),
  pingWebhookEndpoint: {
    201: one,
    404: unknownId('id')(one),
    409: inFlight(one, 'webhook_endpoints'),
    422: ofDisabled,
    ...guarded(one),
  },
  listWebhookDeliveries: listAnswers(deliveries),
  getWebhookDelivery: readAnswers(delivery),
  redeliverWebhookDelivery: {
    ...actionAnswers(delivery, 'webhook_deliveries'),
    422: deliveryOfDisabled,
  },
};
