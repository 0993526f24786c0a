import { randomBytes, randomUUID } from 'node:crypto';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { VISA } from '../../support/cards.ts';
import { newEmail } from '../../support/parties.ts';
import type { Json } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import type { Shop } from '../dredd/shop.ts';

/** Cards and an amount of the sandbox, by what becomes of them (gateway/simulator/magic-values.ts). */
const NO_FUNDS = '4000000000009995';
const FRAUD = '4100000000000019';
const CAPTURE_FAILS = '4000000000001174';
const CANCEL_FAILS = '4000000000001208';
const REFUND_LATE = '4000000000007726';
const PIX_REFUND_FAILS = 99_990_010;

/** A body from the contract's examples. */
type ExampleOf = (operationId: 'createOrder' | 'createRecipient' | 'createRefund', name: string) => Json;

/** What the recipes of the contract's proof do not bring about: the second examples, and every event. */
export async function playScenes(shop: Shop, exampleOf: ExampleOf): Promise<void> {
  await recipients(shop, exampleOf);
  await refusals(shop);
  await cards(shop);
  await orders(shop, exampleOf);
  await steps(shop);
  await failures(shop, exampleOf);
}

async function recipients(shop: Shop, exampleOf: ExampleOf): Promise<void> {
  for (const name of ['recipient_company', 'recipient_individual']) {
    const body = { ...exampleOf('createRecipient', name), email: newEmail() };
    await shop.call('POST', '/recipients', { body });
  }
  await shop.call('GET', '/recipients');
}

async function refusals(shop: Shop): Promise<void> {
  const authorization = `Bearer ${makeApiKey('production', 1, randomBytes)}`;
  for (const path of ['/payments', `/cards/${randomUUID()}`])
    await shop.try('GET', path, { headers: { authorization } });
  await shop.try('GET', `/payments/${randomUUID()}`);
  await shop.try('POST', '/sandbox/reset', { idempotencyKey: 'x'.repeat(256) });
  const { id: customer_id } = await shop.customer();
  const expired = await shop.encrypted({ ...VISA, expYear: '20' });
  await shop.try('POST', '/cards', { body: { customer_id, encrypted: expired } });
}

/** A card whose network token is there. */
async function cards(shop: Shop): Promise<void> {
  const { customer_id, payment } = await shop.order({ card: VISA });
  const { id } = payment.credit_card;
  await shop.call('POST', `/cards/${id}/network-token`);
  await until('the network token is active', async () => {
    await shop.call('POST', '/sandbox/clock/advance', { body: { days: 1 } });
    return (await shop.call('GET', `/cards/${id}`)).network_token?.status === 'active';
  });
  await shop.call('GET', `/customers/${customer_id}/cards`);
  await shop.call('POST', `/cards/${id}/network-token`);
  await shop.card(customer_id, VISA);
}

async function orders(shop: Shop, exampleOf: ExampleOf): Promise<void> {
  const place = async (name: string, number: string) => {
    const customer = await shop.customer();
    const body = exampleOf('createOrder', name);
    const payment = { ...body.payment };
    if (payment.credit_card !== undefined) {
      const { id } = await shop.card(customer.id, { ...VISA, number });
      payment.credit_card = { ...payment.credit_card, id };
    }
    const sent = { ...body, code: randomUUID(), customer: { id: customer.id }, payment };
    const order = await shop.call('POST', '/charges/orders', { body: sent });
    await shop.call('GET', `/charges/orders/${order.id}`);
    return order;
  };
  await place('order_card_captured', NO_FUNDS);
  await place('order_card', NO_FUNDS);
  const { payment: reserved } = await place('order_card', VISA.number);
  await shop.call('POST', `/payments/${reserved.id}/capture`);
  await shop.call('POST', `/payments/${reserved.id}/refunds`, { body: { amount: 3_000 } });
  const { payment } = await place('order_pix', VISA.number);
  await simulate(shop, payment.id, 'paid');
  await shop.call('GET', `/payments/${payment.id}`);
  await shop.call('GET', `/charges/orders/${payment.order_code}`);
  await shop.call('GET', '/charges/orders?per_page=2');
}

/** Reserved, captured, refunded in part; expired; disputed. */
async function steps(shop: Shop): Promise<void> {
  const { payment } = await shop.order({ capture: false });
  await shop.call('POST', `/payments/${payment.id}/capture`);
  await shop.call('GET', `/payments/${payment.id}`);
  await shop.call('POST', `/payments/${payment.id}/refunds`, { body: { amount: 3_000 } });
  await simulate(shop, (await shop.order({ method: 'pix' })).payment.id, 'paid');
  await shop.call('GET', '/payments?per_page=2');
  await shop.call('GET', `/events?per_page=2&payment_id=${payment.id}`);
  await simulate(shop, (await shop.order({ method: 'pix' })).payment.id, 'expired');
  const disputed = (await shop.order()).payment;
  await simulate(shop, disputed.id, 'chargeback_requested');
  await simulate(shop, disputed.id, 'chargeback_dispute');
}

async function failures(shop: Shop, exampleOf: ExampleOf): Promise<void> {
  const refund = (paymentId: string) => refundAndRead(shop, paymentId, exampleOf('createRefund', 'refund'));
  const pay = async (number: string, capture: boolean) =>
    (await shop.order({ card: { ...VISA, number }, capture })).payment.id as string;
  await pay(FRAUD, true);
  await shop.try('POST', `/payments/${await pay(CAPTURE_FAILS, false)}/capture`);
  await shop.try('POST', `/payments/${await pay(CANCEL_FAILS, false)}/cancel`);
  await shop.try('POST', `/payments/${await pay(VISA.number, false)}/cancel`);
  await refund(await pay(REFUND_LATE, true));
  const { payment } = await shop.order({ method: 'pix', amount: PIX_REFUND_FAILS });
  await simulate(shop, payment.id, 'paid');
  await refund(payment.id);
}

async function refundAndRead(shop: Shop, paymentId: string, body: Json): Promise<void> {
  const { id } = await shop.call('POST', `/payments/${paymentId}/refunds`, { body });
  await shop.call('GET', `/payments/${paymentId}/refunds/${id}`);
}

async function simulate(shop: Shop, paymentId: string, outcome: string): Promise<void> {
  await shop.call('POST', `/sandbox/payments/${paymentId}/simulate`, { body: { outcome } });
}
