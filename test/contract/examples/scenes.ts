import { randomBytes, randomUUID } from 'node:crypto';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { cardDocument, encryptJwe, VISA } from '../../support/cards.ts';
import { LogoServer, PNG } from '../../support/logo-server.ts';
import { newEmail } from '../../support/parties.ts';
import { Receiver } from '../../support/receiver.ts';
import type { Json } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import type { ContractMerchant } from '../dredd/merchant.ts';

/** Magic cards and an amount of the sandbox, by their effect (gateway/simulator/magic-values.ts). */
const NO_FUNDS = '4000000000009995';
const FRAUD = '4100000000000019';
const CAPTURE_FAILS = '4000000000001174';
const CANCEL_FAILS = '4000000000001208';
const REFUND_LATE = '4000000000007726';
const PIX_REFUND_FAILS = 99_990_010;

/** A body from the contract's examples. */
type ExampleOf = (
  operationId:
    | 'createOrder'
    | 'createRecipient'
    | 'createRefund'
    | 'createProduct'
    | 'createOffer'
    | 'createPaymentLink'
    | 'createCheckoutPayment'
    | 'createCheckoutSubscription'
    | 'createSubscription'
    | 'createPixRecurringSubscription'
    | 'submitEvidence',
  name: string,
) => Json;

/** What the recipes of the contract's proof do not bring about: the second examples, and every event. */
export async function playScenes(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  await recipients(merchant, exampleOf);
  await products(merchant, exampleOf);
  await paymentLinks(merchant, exampleOf);
  await checkout(merchant, exampleOf);
  await unpaidCharges(merchant, exampleOf);
  await recurringCheckout(merchant, exampleOf);
  await refusals(merchant);
  await cards(merchant);
  await orders(merchant, exampleOf);
  await steps(merchant, exampleOf);
  await failures(merchant, exampleOf);
  await subscriptions(merchant, exampleOf);
  await pixRecurring(merchant, exampleOf);
  await webhooks(merchant);
}

async function recipients(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  for (const name of ['recipient_company', 'recipient_individual']) {
    const body = { ...exampleOf('createRecipient', name), email: newEmail() };
    await merchant.call('POST', '/recipients', { body });
  }
  await merchant.call('GET', '/recipients');
}

/** A product with an offer of each type, edited, archived and restored. */
async function products(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const { id } = await merchant.call('POST', '/products', { body: exampleOf('createProduct', 'product') });
  const offers = `/products/${id}/offers`;
  await merchant.call('POST', offers, { body: exampleOf('createOffer', 'offer_one_time') });
  await merchant.call('POST', offers, { body: exampleOf('createOffer', 'offer_recurring') });
  await merchant.call('GET', offers);
}

async function paymentLinks(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  for (const name of ['payment_link', 'payment_link_recurring']) {
    await merchant.call('POST', '/payment-links', { body: exampleOf('createPaymentLink', name) });
  }
  await merchant.call('GET', '/payment-links');
}

/** A page with a logo, where a card is refused and another one pays, and that is then disabled. */
async function checkout(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  await using logos = await LogoServer.start();
  const link = { ...exampleOf('createPaymentLink', 'payment_link'), logo_url: logos.serve(PNG) };
  const { id, hash } = await merchant.call('POST', '/payment-links', { body: link });
  const read = () => merchant.call('GET', `/checkout/${hash}`, { key: null });
  await until('the logo is stored', async () => (await read()).logo_url !== null);
  const page = await read();
  await merchant.call('PUT', `/payment-links/${id}`, { body: { logo_url: null } });
  const pay = `/checkout/${hash}/payments`;
  const body = exampleOf('createCheckoutPayment', 'checkout_card');
  for (const [number, installments] of [
    [NO_FUNDS, 1],
    [VISA.number, 3],
  ] as const) {
    const encrypted = await encryptJwe(cardDocument({ ...VISA, number }), page.card_encryption_key.jwk);
    const sent = { ...body, installments, credit_card: { encrypted } };
    await merchant.call('POST', pay, { key: null, body: sent });
  }
  await merchant.call('POST', `/payment-links/${id}/disable`);
  await merchant.call('GET', `/checkout/${hash}`, { key: null });
  await merchant.try('POST', pay, { key: null, body: exampleOf('createCheckoutPayment', 'checkout_pix') });
}

/** One buyer makes more Pix charges at a link with a limit of payments than one network address can. */
async function unpaidCharges(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const link = { ...exampleOf('createPaymentLink', 'payment_link'), max_payments: 10 };
  const { hash } = await merchant.call('POST', '/payment-links', { body: link });
  const body = exampleOf('createCheckoutPayment', 'checkout_pix');
  for (let i = 0; i < 4; i += 1) {
    await merchant.try('POST', `/checkout/${hash}/payments`, { key: null, body });
  }
}

/** Buyers who subscribe at the page of an offer: in a trial, charged, and refused. */
async function recurringCheckout(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const { id } = await merchant.call('POST', '/products', { body: exampleOf('createProduct', 'product') });
  const offer = exampleOf('createOffer', 'offer_recurring');
  const body = exampleOf('createCheckoutSubscription', 'checkout_subscription');
  for (const [trial_days, number] of [
    [7, VISA.number],
    [undefined, VISA.number],
    [undefined, NO_FUNDS],
  ] as const) {
    const { hash } = await merchant.call('POST', `/products/${id}/offers`, {
      body: { ...offer, trial_days },
    });
    const page = await merchant.call('GET', `/checkout/${hash}`, { key: null });
    const encrypted = await encryptJwe(cardDocument({ ...VISA, number }), page.card_encryption_key.jwk);
    const sent = { ...body, terms: page.recurrence.terms, credit_card: { encrypted } };
    const made = await merchant.call('POST', `/checkout/${hash}/subscriptions`, { key: null, body: sent });
    await merchant.call('GET', `/checkout/subscriptions/${made.hash}`, { key: null });
  }
}

async function refusals(merchant: ContractMerchant): Promise<void> {
  const authorization = `Bearer ${makeApiKey('production', 1, randomBytes)}`;
  for (const path of ['/payments', `/cards/${randomUUID()}`])
    await merchant.try('GET', path, { headers: { authorization } });
  await merchant.try('GET', `/payments/${randomUUID()}`);
  await merchant.try('POST', '/sandbox/reset', { idempotencyKey: 'x'.repeat(256) });
  const { id: customer_id } = await merchant.customer();
  const expired = await merchant.encrypted({ ...VISA, expYear: '20' });
  await merchant.try('POST', '/cards', { body: { customer_id, encrypted: expired } });
}

/** A card whose network token is there. */
async function cards(merchant: ContractMerchant): Promise<void> {
  const { customer_id, payment } = await merchant.order({ card: VISA });
  const { id } = payment.credit_card;
  await merchant.call('POST', `/cards/${id}/network-token`);
  await until('the network token is active', async () => {
    await merchant.call('POST', '/sandbox/clock/advance', { body: { days: 1 } });
    return (await merchant.call('GET', `/cards/${id}`)).network_token?.status === 'active';
  });
  await merchant.call('GET', `/customers/${customer_id}/cards`);
  await merchant.call('POST', `/cards/${id}/network-token`);
  await merchant.card(customer_id, VISA);
}

async function orders(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const place = async (name: string, number: string) => {
    const body = exampleOf('createOrder', name);
    const { documents, addresses } = body.customer;
    const customer = await merchant.customer({ documents, addresses });
    const payment = { ...body.payment };
    // The day of the example may be past.
    if (payment.bank_slip !== undefined) payment.bank_slip = {};
    const block = `${body.payment.payment_method}`;
    if (payment[block]?.id !== undefined) {
      const { id } = await merchant.card(customer.id, { ...VISA, number });
      payment[block] = { ...payment[block], id };
    }
    if (payment.browser_wallet !== undefined) {
      payment.browser_wallet = { ...payment.browser_wallet, ...(await walletToken(merchant)) };
    }
    const sent = { ...body, code: randomUUID(), customer: { id: customer.id }, payment };
    const order = await merchant.call('POST', '/charges/orders', { body: sent });
    await merchant.call('GET', `/charges/orders/${order.id}`);
    return order;
  };
  await place('order_card_captured', NO_FUNDS);
  await place('order_split', VISA.number);
  await place('order_debit', VISA.number);
  await place('order_card', NO_FUNDS);
  await place('order_bank_slip', VISA.number);
  await place('order_wallet', VISA.number);
  const { payment: reserved } = await place('order_card', VISA.number);
  await merchant.call('POST', `/payments/${reserved.id}/capture`);
  await merchant.call('POST', `/payments/${reserved.id}/refunds`, { body: { amount: 3_000 } });
  const { payment } = await place('order_pix', VISA.number);
  await simulate(merchant, payment.id, 'paid');
  await merchant.call('GET', `/payments/${payment.id}`);
  await merchant.call('GET', `/charges/orders/${payment.order_code}`);
  await merchant.call('GET', '/charges/orders?per_page=2');
}

/** A token for a verified domain, and a session without a domain. */
async function walletToken(merchant: ContractMerchant): Promise<Json> {
  const body = { domain_name: 'cenas.wallet.test' };
  const { id } = await merchant.call('POST', '/mobile-wallet/domains', { body });
  await merchant.call('POST', `/mobile-wallet/domains/${id}/verify`);
  const bare = { validationURL: 'https://provider.wallet.test/' };
  await merchant.try('POST', '/mobile-wallet/validate-session', { key: null, body: bare });
  return merchant.call('POST', '/sandbox/wallet-tokens', { body });
}

/**
 * Subscriptions of each example: paid, in a trial, refused and given up, canceled, reactivated, ended and completed. The
 * clock passes a year and a month.
 */
async function subscriptions(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
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
  await merchant.call('GET', '/subscriptions?per_page=20');
  const cancel = (body: object) => merchant.call('POST', '/subscriptions/cancel', { body });
  await cancel({ id: active.id, reason: 'Moving abroad' });
  await merchant.try('POST', '/subscriptions/cancel', { body: { id: active.id } });
  await tryPlan(merchant, active.id, plus);
  const card = { payment_method: 'credit_card', credit_card: { id: active.card_id } };
  await merchant.try('PUT', `/subscriptions/${active.id}/payment-method`, { body: card });
  await merchant.call('POST', `/subscriptions/${active.id}/reactivate`);
  await merchant.call('PUT', `/subscriptions/${active.id}/payment-method`, { body: card });
  await merchant.try('POST', `/subscriptions/${active.id}/reactivate`);
  await cancel({ id: active.id, reason: 'Moving abroad' });
  await changePlanMeanwhile(merchant, await subscribe('subscription_offer'), plus);
  await merchant.call('POST', `/product-offers/${plus}/archive`);
  await tryPlan(merchant, active.id, plus);
  const finite = await offerOf({ trial_days: undefined, cycles: [{ start: 1, end: 1, amount: 2_990 }] });
  await subscribe('subscription_offer', VISA.number, { offer_id: finite });
  await merchant.call('POST', '/sandbox/clock/advance', { body: { days: 32 } });
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

/** An upgrade whose charge has no outcome, and other changes meanwhile. */
async function changePlanMeanwhile(merchant: ContractMerchant, of: Json, offer_id: string): Promise<void> {
  const path = `/subscriptions/${of.id}/change-plan`;
  const body = { offer_id, effective: 'immediate' };
  await nextOutcome(merchant, of.card_id, 'time_out');
  await merchant.call('POST', path, { body });
  await merchant.try('POST', path, { body });
  await merchant.try('POST', `${path}/preview`, { body });
}

/** Subscriptions by Pix recurring: authorized, and ended by the payer. */
async function pixRecurring(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
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

/** Reserved, captured, refunded in part; expired; disputed. */
async function steps(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const { payment } = await merchant.order({ capture: false });
  await merchant.call('POST', `/payments/${payment.id}/capture`);
  await merchant.call('GET', `/payments/${payment.id}`);
  await merchant.call('POST', `/payments/${payment.id}/refunds`, { body: { amount: 3_000 } });
  await simulate(merchant, (await merchant.order({ method: 'pix' })).payment.id, 'paid');
  await merchant.call('GET', '/payments?per_page=2');
  await merchant.call('GET', `/events?per_page=2&payment_id=${payment.id}`);
  await simulate(merchant, (await merchant.order({ method: 'pix' })).payment.id, 'expired');
  const disputed = (await merchant.order()).payment;
  await simulate(merchant, disputed.id, 'chargeback_requested');
  await simulate(merchant, disputed.id, 'chargeback_dispute');
  await dispute(merchant, exampleOf);
}

/** Contested, and won. */
async function dispute(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const { payment } = await merchant.order();
  await simulate(merchant, payment.id, 'chargeback_requested');
  const [{ id }] = (await merchant.call('GET', `/disputes?payment_id=${payment.id}`)).data;
  await merchant.call('GET', `/disputes/${id}`);
  await merchant.call('POST', `/disputes/${id}/evidence`, { body: exampleOf('submitEvidence', 'evidence') });
  await simulate(merchant, payment.id, 'chargeback_won');
  await merchant.call('GET', `/disputes/${id}`);
}

/** A delivery that succeeded, sent again. */
async function webhooks(merchant: ContractMerchant): Promise<void> {
  await using receiver = await Receiver.start();
  const body = { url: receiver.url, events: ['*'], description: 'Orders of the web shop' };
  const { id } = await merchant.call('POST', '/webhook-endpoints', { body });
  await merchant.call('GET', `/webhook-endpoints/${id}`);
  await merchant.call('GET', '/webhook-endpoints');
  const { payment } = await merchant.order();
  await merchant.call('POST', `/payments/${payment.id}/refunds`, { body: { amount: 3_000 } });
  const query = `endpoint_id=${id}&event=payment.refunded`;
  const deliveries = () => merchant.call('GET', `/webhook-deliveries?${query}`);
  await until('the refund was delivered', async () => (await deliveries()).data[0]?.status === 'succeeded');
  const [{ id: deliveryId }] = (await deliveries()).data;
  await merchant.call('GET', `/webhook-deliveries/${deliveryId}`);
  await merchant.call('POST', `/webhook-deliveries/${deliveryId}/redeliver`);
  await merchant.call('POST', `/webhook-endpoints/${id}/rotate-secret`);
  const changes = { events: ['payment.refunded', 'payment.refund_denied'], status: 'disabled' };
  await merchant.call('PUT', `/webhook-endpoints/${id}`, { body: changes });
}

async function failures(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const refund = (paymentId: string) =>
    refundAndRead(merchant, paymentId, exampleOf('createRefund', 'refund'));
  const pay = async (number: string, capture: boolean) =>
    (await merchant.order({ card: { ...VISA, number }, capture })).payment.id as string;
  await pay(FRAUD, true);
  await merchant.try('POST', `/payments/${await pay(CAPTURE_FAILS, false)}/capture`);
  await merchant.try('POST', `/payments/${await pay(CANCEL_FAILS, false)}/cancel`);
  await merchant.try('POST', `/payments/${await pay(VISA.number, false)}/cancel`);
  await refund(await pay(REFUND_LATE, true));
  const { payment } = await merchant.order({ method: 'pix', amount: PIX_REFUND_FAILS });
  await simulate(merchant, payment.id, 'paid');
  await refund(payment.id);
}

async function refundAndRead(merchant: ContractMerchant, paymentId: string, body: Json): Promise<void> {
  const { id } = await merchant.call('POST', `/payments/${paymentId}/refunds`, { body });
  await merchant.call('GET', `/payments/${paymentId}/refunds/${id}`);
}

async function simulate(merchant: ContractMerchant, paymentId: string, outcome: string): Promise<void> {
  await merchant.call('POST', `/sandbox/payments/${paymentId}/simulate`, { body: { outcome } });
}
