import { randomUUID } from 'node:crypto';
import { until } from '../../../support/until.ts';
import { holdUp } from '../held-request.ts';
import type { ContractMerchant } from '../merchant.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import {
  bodyRefusals,
  guarded,
  inFlight,
  keyReused,
  pageTooLong,
  unknownId,
  unknownParameter,
} from '../refusals.ts';
import { actionAnswers, createAnswers } from '../usual-answers.ts';
import { requestedMandate } from './subscriptions.ts';
import { registered } from './wallet.ts';

const waitingPix: Recipe = async ({ merchant }) => {
  const { payment } = await merchant.order({ method: 'pix', amount: 4_990 });
  return { path: { identifier: payment.id } };
};

const expiringCard: Recipe = async ({ merchant }) => {
  const { payment } = await merchant.order();
  return { path: { identifier: payment.id }, body: { outcome: 'expired' } };
};

const script: Recipe = async ({ merchant, example }) => {
  const { id } = await merchant.card((await merchant.customer()).id);
  return { body: { ...example.body, card_id: id } };
};

const emptyScript: Recipe = async (scene) => {
  const { body } = await script(scene);
  return { body: { ...(body as object), outcomes: [] } };
};

/** A script of which the first outcome was used. */
async function begun({ merchant }: Scene) {
  const customer = { id: (await merchant.customer()).id };
  const { id: card_id } = await merchant.card(customer.id);
  const outcomes = ['insufficient_funds', 'time_out', 'approve'].map((outcome) => ({
    operation: 'authorize',
    outcome,
  }));
  const stored = await merchant.call('POST', '/sandbox/scripts', { body: { card_id, outcomes } });
  const payment = { amount: 4_990, payment_method: 'credit_card', credit_card: { id: card_id } };
  const order = { code: randomUUID(), mcc: '5734', customer, payment };
  await merchant.call('POST', '/charges/orders', { body: order });
  return stored;
}

const scripts: Recipe = async (scene) => {
  await begun(scene);
  return { query: { per_page: '20' } };
};

/** Of a Pix that a buyer has paid at a payment link. */
const receipts: Recipe = async ({ merchant, exampleOf }) => {
  const link = { ...exampleOf('createPaymentLink'), send_email_receipt: true };
  const { id, hash } = await merchant.call('POST', '/payment-links', { body: link });
  const body = exampleOf('createCheckoutPayment');
  await merchant.call('POST', `/checkout/${hash}/payments`, { key: null, body });
  const [payment] = (await merchant.call('GET', `/payments?payment_link_id=${id}`)).data;
  await merchant.call('POST', `/sandbox/payments/${payment.id}/simulate`, { body: { outcome: 'paid' } });
  await until('the receipt is sent', async () => {
    const { data } = await merchant.call('GET', `/sandbox/emails?payment_id=${payment.id}`);
    return data[0].status === 'sent';
  });
  return { query: { per_page: '20' } };
};

const oneScript: Recipe = async (scene) => ({ path: { id: (await begun(scene)).id } });

const endpoint: Recipe = async ({ merchant }) => {
  const body = { url: 'https://loja.example.com/webhooks', events: ['*'] };
  const { id } = await merchant.call('POST', '/webhook-endpoints', { body });
  return { path: { id } };
};

const longDelay: Recipe = async (scene) => ({ ...(await endpoint(scene)), body: { delay_s: 7_200 } });

const clock: Recipe = async () => ({});

/** With a Pix that expires on the way. */
const advance: Recipe = async (scene) => {
  await waitingPix(scene);
  return {};
};

/** The state that a running advance needs, without data about the clock. */
const ON_THE_WAY = 'payment_operations';
/** Longer than a request works on an advance. */
const A_LONG_WAY_MS = 25_000;

/** The advance waits until the time for which its request waits has passed. */
const longAdvance: Recipe = async ({ target }) => {
  const merchant = await target.merchantOf('a long advance');
  const release = await target.lock(ON_THE_WAY);
  const passing = until('the clock is on its way', () => isAdvancing(merchant))
    .then(() => target.letPass(A_LONG_WAY_MS))
    .finally(release);
  passing.catch(() => {}); // reported by `after`
  return { key: merchant.apiKey, after: () => passing };
};

const whileAdvancing: Recipe = async ({ target, merchant }) => {
  const advanceOneDay = () => merchant.try('POST', '/sandbox/clock/advance', { body: { days: 1 } });
  const held = { operationId: 'advanceClock', send: advanceOneDay, hasBegun: () => isAdvancing(merchant) };
  return { after: await holdUp(target, ON_THE_WAY, held) };
};

async function isAdvancing(merchant: ContractMerchant): Promise<boolean> {
  return (await merchant.call('GET', '/sandbox/clock')).status === 'advancing';
}

const backwards: Recipe = async () => ({ body: { to: '2020-01-01T00:00:00Z' } });

const reset: Recipe = async ({ merchant }) => {
  await merchant.order();
  return {};
};

/** The examples name the domain of `registered`. */
const ofDomain: Recipe = async (scene) => {
  await registered(scene);
  return {};
};

const ofOtherDomain: Recipe = async () => ({ body: { domain_name: 'outra.wallet.test' } });

const waitingMandate: Recipe = async (scene) => {
  const { id } = await requestedMandate(scene);
  return { path: { id } };
};

const authorizedMandate: Recipe = async (scene) => {
  const { id } = await requestedMandate(scene);
  await scene.merchant.call('POST', `/sandbox/subscriptions/${id}/authorize`);
  return { path: { id } };
};

export const sandbox: RecipesOf<
  | 'simulatePayment'
  | 'authorizeMandate'
  | 'cancelMandate'
  | 'createScript'
  | 'listEmails'
  | 'createWalletSession'
  | 'createWalletToken'
  | 'listScripts'
  | 'deleteScript'
  | 'updateWebhookFaults'
  | 'getClock'
  | 'advanceClock'
  | 'resetSandbox'
> = {
  simulatePayment: {
    200: waitingPix,
    404: unknownId('identifier')(waitingPix),
    409: inFlight(waitingPix, 'payments'),
    422: expiringCard,
    ...bodyRefusals(waitingPix),
    ...guarded(waitingPix),
  },
  authorizeMandate: { ...actionAnswers(waitingMandate, 'subscriptions'), 422: authorizedMandate },
  cancelMandate: {
    200: authorizedMandate,
    404: unknownId('id')(authorizedMandate),
    409: inFlight(authorizedMandate, 'subscriptions'),
    422: waitingMandate,
    ...bodyRefusals(authorizedMandate),
    ...guarded(authorizedMandate),
  },
  createScript: {
    201: script,
    409: inFlight(script, 'cards'),
    422: emptyScript,
    ...bodyRefusals(script),
    ...guarded(script),
  },
  listEmails: { 200: receipts, 422: pageTooLong(receipts), ...guarded(receipts) },
  createWalletSession: createAnswers(ofDomain, 'wallet_domains', ofOtherDomain),
  createWalletToken: createAnswers(ofDomain, 'wallet_domains', ofOtherDomain),
  listScripts: { 200: scripts, 422: pageTooLong(scripts), ...guarded(scripts) },
  deleteScript: {
    204: oneScript,
    404: unknownId('id')(oneScript),
    422: unknownParameter(oneScript),
    ...guarded(oneScript),
  },
  updateWebhookFaults: {
    200: endpoint,
    404: unknownId('id')(endpoint),
    422: longDelay,
    ...bodyRefusals(endpoint),
    ...guarded(endpoint),
  },
  getClock: { 200: clock, 422: unknownParameter(clock), ...guarded(clock) },
  advanceClock: {
    200: advance,
    202: longAdvance,
    409: whileAdvancing,
    422: backwards,
    ...bodyRefusals(advance),
    ...guarded(advance),
  },
  resetSandbox: {
    200: reset,
    409: whileAdvancing,
    422: keyReused(reset),
    ...guarded(reset),
  },
};
