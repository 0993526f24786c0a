import { randomUUID } from 'node:crypto';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodyRefusals, guarded, inFlight, unknownId } from '../refusals.ts';
import { actionAnswers, createAnswers, listAnswers, readAnswers, updateAnswers } from '../usual-answers.ts';

/** The contract's first example, with an offer, a customer and a card that exist. */
async function newSubscription({ merchant, exampleOf }: Scene) {
  const { id: customerId } = await merchant.customer();
  const { id: cardId } = await merchant.card(customerId);
  const product = await merchant.call('POST', '/products', { body: { name: 'Clube de fotografia' } });
  const offers = `/products/${product.id}/offers`;
  const offer = await merchant.call('POST', offers, { body: exampleOf('createOffer', 'offer_recurring') });
  const body = exampleOf('createSubscription');
  const { payment } = body;
  return {
    ...body,
    code: randomUUID(),
    offer_id: offer.id,
    customer: { id: customerId },
    payment: { ...payment, credit_card: { ...payment.credit_card, id: cardId } },
  };
}

const create: Recipe = async (scene) => ({ body: await newSubscription(scene) });

const badFields: Recipe = async (scene) => ({
  body: { ...(await newSubscription(scene)), interval: 'yearly', start_at: '2020-01-01' },
});

async function newPixRecurring({ merchant, exampleOf }: Scene) {
  const { id } = await merchant.customer();
  const body = exampleOf('createPixRecurringSubscription');
  return { ...body, code: randomUUID(), customer: { id } };
}

const createPixRecurring: Recipe = async (scene) => ({ body: await newPixRecurring(scene) });

/** A Pix recurring subscription whose payer has not authorized it. */
export async function requestedMandate(scene: Scene) {
  return scene.merchant.call('POST', '/subscriptions', { body: await newPixRecurring(scene) });
}

const badPixRecurring: Recipe = async (scene) => ({
  body: { ...(await newPixRecurring(scene)), interval: 'daily', start_at: 'soon' },
});

async function stored(scene: Scene) {
  return scene.merchant.call('POST', '/charges/subscriptions', { body: await newSubscription(scene) });
}

const list: Recipe = async (scene) => {
  const { code, customer_id, offer_id } = await stored(scene);
  return { query: { per_page: '20', status: 'active', code, customer_id, offer_id } };
};

const one: Recipe = async (scene) => ({ path: { id: (await stored(scene)).code } });

const invoicesOfOne: Recipe = async (scene) => ({ path: { uuid: (await stored(scene)).id } });

const cancel: Recipe = async (scene) => ({ body: { id: (await stored(scene)).id, reason: 'Moving abroad' } });

const cancelNothing: Recipe = async () => ({ body: { id: randomUUID() } });

const cancelTwice: Recipe = async (scene) => {
  const request = await cancel(scene);
  await scene.merchant.call('POST', '/subscriptions/cancel', { body: request.body });
  return request;
};

const canceled: Recipe = async (scene) => {
  const { id, code } = await stored(scene);
  await scene.merchant.call('POST', '/subscriptions/cancel', { body: { id } });
  return { path: { id: code } };
};

const newCard: Recipe = async (scene) => {
  const { code, card_id } = await stored(scene);
  return { path: { id: code }, body: { payment_method: 'credit_card', credit_card: { id: card_id } } };
};

const newCardOfCanceled: Recipe = async (scene) => {
  const request = await newCard(scene);
  await scene.merchant.call('POST', '/subscriptions/cancel', { body: { code: request.path!.id } });
  return request;
};

/** An active subscription, and another offer of the merchant. */
async function twoPlans(scene: Scene) {
  const { merchant, exampleOf } = scene;
  const { code, card_id } = await stored(scene);
  const product = await merchant.call('POST', '/products', { body: { name: 'Clube de fotografia' } });
  const cycles = [{ start: 1, end: null, amount: 4_990 }];
  const body = { ...exampleOf('createOffer', 'offer_recurring'), cycles };
  const { id } = await merchant.call('POST', `/products/${product.id}/offers`, { body });
  return { code, card_id, offer_id: id };
}

const upgrade: Recipe = async (scene) => {
  const { code, offer_id } = await twoPlans(scene);
  return { path: { id: code }, body: { offer_id, effective: 'immediate' } };
};

const upgradeWithoutOutcome: Recipe = async (scene) => {
  const { code, card_id, offer_id } = await twoPlans(scene);
  const outcomes = [{ operation: 'authorize', outcome: 'time_out' }];
  await scene.merchant.call('POST', '/sandbox/scripts', { body: { card_id, outcomes } });
  return { path: { id: code }, body: { offer_id, effective: 'immediate' } };
};

const changeOfCanceled: Recipe = async (scene) => {
  const request = await upgrade(scene);
  await scene.merchant.call('POST', '/subscriptions/cancel', { body: { code: request.path!.id } });
  return request;
};

const planOfAnotherPreview: Recipe = async (scene) => {
  const { path, body } = await upgrade(scene);
  const url = `/subscriptions/${path!.id}/change-plan/preview`;
  const { data } = await scene.merchant.call('POST', url, { body });
  return { path: path!, body: { ...(body as object), effective: 'next_cycle', preview_id: data.preview_id } };
};

const previewMeanwhile: Recipe = async (scene) => {
  const request = await upgradeWithoutOutcome(scene);
  await scene.merchant.call('POST', `/subscriptions/${request.path!.id}/change-plan`, { body: request.body });
  return request;
};

const mandateMeanwhile: Recipe = async (scene) => {
  const { path } = await previewMeanwhile(scene);
  return { path: path!, body: { payment_method: 'pix_recurring' } };
};

const planAnswers = {
  200: upgrade,
  404: unknownId('id')(upgrade),
  422: changeOfCanceled,
  ...bodyRefusals(upgrade),
  ...guarded(upgrade),
};

export const subscriptions: RecipesOf<
  | 'createSubscription'
  | 'createPixRecurringSubscription'
  | 'listSubscriptions'
  | 'getSubscription'
  | 'listInvoices'
  | 'cancelSubscription'
  | 'changePlan'
  | 'previewPlanChange'
  | 'reactivateSubscription'
  | 'updatePaymentMethod'
> = {
  createSubscription: createAnswers(create, 'subscriptions', badFields),
  createPixRecurringSubscription: createAnswers(createPixRecurring, 'subscriptions', badPixRecurring),
  listSubscriptions: listAnswers(list),
  getSubscription: readAnswers(one),
  listInvoices: { ...listAnswers(invoicesOfOne), 404: readAnswers(invoicesOfOne, 'uuid')[404] },
  cancelSubscription: {
    200: cancel,
    404: cancelNothing,
    409: inFlight(cancel, 'subscriptions'),
    422: cancelTwice,
    ...bodyRefusals(cancel),
    ...guarded(cancel),
  },
  changePlan: { ...planAnswers, 202: upgradeWithoutOutcome, 409: planOfAnotherPreview },
  previewPlanChange: { ...planAnswers, 409: previewMeanwhile },
  updatePaymentMethod: { ...updateAnswers(newCard, newCardOfCanceled), 409: mandateMeanwhile },
  reactivateSubscription: { ...actionAnswers(canceled, 'subscriptions'), 422: one },
};
