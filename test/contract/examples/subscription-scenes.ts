import { randomUUID } from 'node:crypto';
import { VISA } from '../../support/cards/cards.ts';
import type { Json } from '../../support/service.ts';
import type { ContractMerchant } from '../dredd/merchant.ts';
import type { ExampleOf } from './example-of.ts';
import { NO_FUNDS } from './magic-cards.ts';

/** The domain of the wallet's tokens, which the scene of the orders verifies. */
export const WALLET_DOMAIN = 'cenas.wallet.test';

/**
 * Subscriptions of each example: paid, in a trial, refused and given up, canceled, reactivated, ended and completed.
 * The clock passes a year and a month.
 */
export async function subscriptions(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const product = await merchant.call('POST', '/products', { body: exampleOf('createProduct', 'product') });
  const offerOf = async (fields: object = {}) => {
    const body = { ...exampleOf('createOffer', 'offer_recurring'), ...fields };
    return (await merchant.call('POST', `/products/${product.id}/offers`, { body })).id;
  };
  const offerId = await offerOf();
  const subscribe = async (name: string, number = VISA.number, fields: object = {}) => {
    const { id: customerId } = await merchant.customer();
    const { id } = await merchant.card(customerId, { ...VISA, number });
    const body = exampleOf('createSubscription', name);
    const payment = { ...body.payment, credit_card: { ...body.payment.credit_card, id } };
    const offer = body.offer_id === undefined ? {} : { offer_id: offerId };
    const sent = { ...body, ...offer, ...fields, code: randomUUID(), customer: { id: customerId }, payment };
    return merchant.call('POST', '/charges/subscriptions', { body: sent });
  };
  const active = await subscribe('subscription_offer');
  await merchant.call('GET', `/subscriptions/${active.id}`);
  await merchant.call('GET', `/subscriptions/${active.id}/invoices`);
  await merchant.try('DELETE', `/cards/${active.card_id}`);
  const plus = await offerOf({ cycles: [{ start: 1, end: null, amount: 4_990 }] });
  const upgraded = await subscribe('subscription_offer');
  await changePlans(merchant, upgraded, plus);
  const trial = await subscribe('subscription_trial');
  await merchant.call('GET', `/subscriptions/${trial.id}`);
  await subscribe('subscription_price', NO_FUNDS);
  await subscribeByBankSlip(merchant, exampleOf);
  await subscribeByWallet(merchant, exampleOf);
  await merchant.call('GET', '/subscriptions?per_page=20');
  const cancel = (body: object) => merchant.call('POST', '/subscriptions/cancel', { body });
  await cancel({ id: active.id, reason: 'Moving abroad' });
  await merchant.try('POST', '/subscriptions/cancel', { body: { id: active.id } });
  await tryPlan(merchant, active.id, plus);
  const card = { payment_method: 'credit_card', credit_card: { id: active.card_id } };
  await merchant.try('PUT', `/subscriptions/${active.id}/payment-method`, { body: card });
  await merchant.call('POST', `/subscriptions/${active.id}/reactivate`);
  await changeToMandate(merchant, exampleOf, active);
  const newPlan = { ...exampleOf('updatePaymentMethod', 'payment_method_update_new_plan'), offer_id: plus };
  await merchant.call('PUT', `/subscriptions/${active.id}/payment-method`, { body: newPlan });
  await merchant.call('PUT', `/subscriptions/${active.id}/payment-method`, { body: card });
  await merchant.try('POST', `/subscriptions/${active.id}/reactivate`);
  await cancel({ id: active.id, reason: 'Moving abroad' });
  await changePlanMeanwhile(merchant, await subscribe('subscription_offer'), plus);
  await merchant.call('POST', `/product-offers/${plus}/archive`);
  await tryPlan(merchant, active.id, plus);
  const other = await subscribe('subscription_offer');
  // The offer is archived.
  await merchant.try('PUT', `/subscriptions/${other.id}/payment-method`, { body: newPlan });
  const finite = await offerOf({ trial_days: undefined, cycles: [{ start: 1, end: 1, amount: 2_990 }] });
  await subscribe('subscription_offer', VISA.number, { offer_id: finite });
  await merchant.call('POST', '/sandbox/clock/advance', { body: { days: 32 } });
}

/** A change to Pix recurring that is refused, and one that waits for the payer. */
async function changeToMandate(
  merchant: ContractMerchant,
  exampleOf: ExampleOf,
  { id }: Json,
): Promise<void> {
  const body = exampleOf('updatePaymentMethod', 'payment_method_update_pix_recurring');
  const refused = { ...body, pix_recurring: { recurring_amount: 2_990 } };
  await merchant.try('PUT', `/subscriptions/${id}/payment-method`, { body: refused });
  await merchant.call('PUT', `/subscriptions/${id}/payment-method`, { body });
}

/** The boleto waits for the customer. */
async function subscribeByBankSlip(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const body = exampleOf('createSubscription', 'subscription_bank_slip');
  const { customer } = exampleOf('createOrder', 'order_bank_slip');
  const payment = { ...body.payment, bank_slip: {} };
  await merchant.call('POST', '/charges/subscriptions', {
    body: { ...body, code: randomUUID(), customer, payment },
  });
}

/** A subscription by wallet, which then has another token. */
async function subscribeByWallet(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const body = exampleOf('createSubscription', 'subscription_wallet');
  const customer = { id: (await merchant.customer()).id };
  const payment = { ...body.payment, browser_wallet: await walletBlock(merchant) };
  const { id } = await merchant.call('POST', '/charges/subscriptions', {
    body: { ...body, code: randomUUID(), customer, payment },
  });
  const next = { payment_method: 'browser_wallet', browser_wallet: await walletBlock(merchant) };
  await merchant.call('PUT', `/subscriptions/${id}/payment-method`, { body: next });
}

/** With a token of the domain that the orders by wallet have verified. */
export async function walletBlock(merchant: ContractMerchant): Promise<Json> {
  const body = { domain_name: WALLET_DOMAIN };
  const { browser_wallet_token } = await merchant.call('POST', '/sandbox/wallet-tokens', { body });
  return { browser_wallet_token };
}

/** A preview, an upgrade that is refused, one that succeeds, and refused changes. */
async function changePlans(
  merchant: ContractMerchant,
  { id, card_id }: Json,
  offer_id: string,
): Promise<void> {
  const path = `/subscriptions/${id}/change-plan`;
  const body = { offer_id, effective: 'immediate' };
  const { data } = await merchant.call('POST', `${path}/preview`, { body });
  await merchant.try('POST', path, { body: { offer_id, preview_id: data.preview_id } });
  await nextOutcome(merchant, card_id, 'insufficient_funds');
  await merchant.try('POST', path, { body });
  await merchant.call('POST', path, { body });
}

async function nextOutcome(merchant: ContractMerchant, card_id: string, outcome: string): Promise<void> {
  const outcomes = [{ operation: 'authorize', outcome }];
  await merchant.call('POST', '/sandbox/scripts', { body: { card_id, outcomes } });
}

async function tryPlan(merchant: ContractMerchant, id: string, offer_id: string): Promise<void> {
  for (const path of ['change-plan', 'change-plan/preview']) {
    await merchant.try('POST', `/subscriptions/${id}/${path}`, { body: { offer_id } });
  }
}

/** An upgrade whose charge has no outcome, and other changes before it has one. */
async function changePlanMeanwhile(merchant: ContractMerchant, of: Json, offer_id: string): Promise<void> {
  const path = `/subscriptions/${of.id}/change-plan`;
  const body = { offer_id, effective: 'immediate' };
  await nextOutcome(merchant, of.card_id, 'time_out');
  await merchant.call('POST', path, { body });
  await merchant.try('POST', path, { body });
  await merchant.try('POST', `${path}/preview`, { body });
}

/** Subscriptions by Pix recurring: authorized, and ended by the payer. */
export async function pixRecurring(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  for (const name of ['subscription_pix_recurring', 'subscription_pix_recurring_trial']) {
    const customer = { id: (await merchant.customer()).id };
    const body = { ...exampleOf('createPixRecurringSubscription', name), code: randomUUID(), customer };
    const { id } = await merchant.call('POST', '/subscriptions', { body });
    const decide = `/sandbox/subscriptions/${id}`;
    await merchant.call('POST', `${decide}/authorize`);
    await merchant.try('POST', `${decide}/authorize`);
    await merchant.call('POST', `${decide}/cancel-mandate`, { body: { reason: 'SLDB' } });
  }
}
