import { randomBytes, randomUUID } from 'node:crypto';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { VISA } from '../../support/cards/cards.ts';
import { newEmail } from '../../support/orders/parties.ts';
import type { Json } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';
import type { ContractMerchant } from '../dredd/merchant.ts';
import { checkout, recurringCheckout, unpaidCharges } from './checkout-scenes.ts';
import type { ExampleOf } from './example-of.ts';
import {
  CANCEL_FAILS,
  CAPTURE_FAILS,
  FRAUD,
  NO_FUNDS,
  PIX_REFUND_FAILS,
  REFUND_LATE,
} from './magic-cards.ts';
import { pixRecurring, subscriptions, WALLET_DOMAIN, walletBlock } from './subscription-scenes.ts';

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

async function refusals(merchant: ContractMerchant): Promise<void> {
  const authorization = `Bearer ${makeApiKey('production', 1, randomBytes)}`;
  for (const path of ['/payments', `/cards/${randomUUID()}`])
    await merchant.try('GET', path, { headers: { authorization } });
  await merchant.try('GET', `/payments/${randomUUID()}`);
  await merchant.try('POST', '/sandbox/reset', { idempotencyKey: 'x'.repeat(256) });
  const { id: customer_id } = await merchant.customer();
  const expired = await merchant.encrypted({ ...VISA, expYear: '20' });
  await merchant.try('POST', '/cards', { body: { customer_id, encrypted: expired } });
  const { id } = await merchant.card(customer_id);
  const payment = { amount: 5, payment_method: 'credit_card', installments: 12, credit_card: { id } };
  const small = { code: randomUUID(), mcc: '5734', customer: { id: customer_id }, payment };
  await merchant.try('POST', '/charges/orders', { body: small });
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
      payment.browser_wallet = { ...payment.browser_wallet, ...(await verifiedWallet(merchant)) };
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

/** The object of a wallet with a token for a verified domain. Also asks for a session without a domain. */
async function verifiedWallet(merchant: ContractMerchant): Promise<Json> {
  const body = { domain_name: WALLET_DOMAIN };
  const { id } = await merchant.call('POST', '/mobile-wallet/domains', { body });
  await merchant.call('POST', `/mobile-wallet/domains/${id}/verify`);
  const bare = { validationURL: 'https://provider.wallet.test/' };
  await merchant.try('POST', '/mobile-wallet/validate-session', { key: null, body: bare });
  return walletBlock(merchant);
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
