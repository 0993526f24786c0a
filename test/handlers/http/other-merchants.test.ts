import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { companyBody } from '../../support/orders/parties.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { oneTimeOffer } from '../../support/pages/offer-bodies.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

type Kind =
  | 'recipient'
  | 'customer'
  | 'card'
  | 'order'
  | 'payment'
  | 'dispute'
  | 'product'
  | 'offer'
  | 'link'
  | 'subscription'
  | 'event'
  | 'script'
  | 'domain'
  | 'endpoint'
  | 'delivery';

/** What the path of each operation names; one that is missing here fails. */
const NAMES: Readonly<Record<string, Kind>> = {
  '/recipients/{uuid}': 'recipient',
  '/recipients/{identifier}/balance': 'recipient',
  '/customers/{identifier}': 'customer',
  '/customers/{identifier}/cards': 'customer',
  '/cards/{uuid}': 'card',
  '/cards/{uuid}/network-token': 'card',
  '/charges/orders/{identifier}': 'order',
  '/payments/{identifier}': 'payment',
  '/payments/{identifier}/capture': 'payment',
  '/payments/{identifier}/cancel': 'payment',
  '/payments/{identifier}/refunds': 'payment',
  '/payments/{identifier}/refunds/{refund_id}': 'payment',
  '/disputes/{id}': 'dispute',
  '/disputes/{id}/evidence': 'dispute',
  '/products/{id}': 'product',
  '/products/{id}/offers': 'product',
  '/product-offers/{id}': 'offer',
  '/product-offers/{id}/archive': 'offer',
  '/product-offers/{id}/restore': 'offer',
  '/payment-links/{id}': 'link',
  '/payment-links/{id}/disable': 'link',
  '/payment-links/{id}/enable': 'link',
  '/subscriptions/{id}': 'subscription',
  '/subscriptions/{id}/reactivate': 'subscription',
  '/subscriptions/{id}/change-plan': 'subscription',
  '/subscriptions/{id}/change-plan/preview': 'subscription',
  '/subscriptions/{id}/payment-method': 'subscription',
  '/subscriptions/{uuid}/invoices': 'subscription',
  '/events/{id}': 'event',
  '/mobile-wallet/domains/{id}': 'domain',
  '/mobile-wallet/domains/{id}/verify': 'domain',
  '/webhook-endpoints/{id}': 'endpoint',
  '/webhook-endpoints/{id}/rotate-secret': 'endpoint',
  '/webhook-endpoints/{id}/ping': 'endpoint',
  '/webhook-deliveries/{id}': 'delivery',
  '/webhook-deliveries/{id}/redeliver': 'delivery',
  '/sandbox/payments/{identifier}/simulate': 'payment',
  '/sandbox/subscriptions/{id}/authorize': 'subscription',
  '/sandbox/subscriptions/{id}/cancel-mandate': 'subscription',
  '/sandbox/scripts/{id}': 'script',
  '/sandbox/webhook-endpoints/{id}/faults': 'endpoint',
};
const BODIES: Readonly<Record<string, object>> = {
  updateRecipient: { trade_name: 'Outra' },
  updateCustomer: { name: 'Outra' },
  updateWebhookEndpoint: { description: 'Outra' },
  updateProduct: { name: 'Outra' },
  createOffer: oneTimeOffer(),
  updateOffer: { name: 'Outra' },
  changePlan: { offer_id: randomUUID() },
  previewPlanChange: { offer_id: randomUUID() },
  updatePaymentMethod: { payment_method: 'credit_card', credit_card: { id: randomUUID() } },
  updatePaymentLink: { title: 'Outra' },
  submitEvidence: { text: 'Entregue.' },
  simulatePayment: { outcome: 'fraud' },
  updateWebhookFaults: { duplicate: true },
};
/** Where its owner sees it. */
const READ: Readonly<Record<Kind, (name: string) => string>> = {
  recipient: (name) => `/recipients/${name}`,
  customer: (name) => `/customers/${name}`,
  card: (name) => `/cards/${name}`,
  order: (name) => `/charges/orders/${name}`,
  payment: (name) => `/payments/${name}`,
  dispute: (name) => `/disputes/${name}`,
  product: (name) => `/products/${name}`,
  offer: (name) => `/product-offers/${name}`,
  link: (name) => `/payment-links/${name}`,
  subscription: (name) => `/subscriptions/${name}`,
  event: (name) => `/events/${name}`,
  script: () => '/sandbox/scripts',
  domain: (name) => `/mobile-wallet/domains/${name}`,
  endpoint: (name) => `/webhook-endpoints/${name}`,
  delivery: (name) => `/webhook-deliveries/${name}`,
};

let service: TestService;
let owner: Shop;
let stranger: Shop;
/** What the owner has, by every name that a path takes. */
let owned: Record<Kind, readonly string[]>;
before(async () => {
  service = await startTestService({ jobs: false });
  owner = await Shop.open(service);
  stranger = await Shop.open(service);
  const recipient = await created(owner.post('/recipients', companyBody()));
  const payment = await owner.cardPayment({ capture: false });
  const pix = await owner.pixPayment();
  const disputed = await owner.cardPayment();
  await owner.simulate(disputed.id, 'chargeback_requested');
  const [dispute] = (await owner.get('/disputes')).data;
  const customer = await owner.get(`/customers/${payment.customer_id}`);
  const product = await created(owner.post('/products', { name: 'Curso' }));
  const offer = await created(owner.post(`/products/${product.id}/offers`, oneTimeOffer()));
  const link = await created(owner.post('/payment-links', linkBody()));
  const subscription = await subscribed(owner);
  const [event] = await owner.events(payment.id);
  const outcomes = [{ operation: 'refund', outcome: 'approve' }];
  const script = await created(owner.post('/sandbox/scripts', { customer_id: customer.id, outcomes }));
  const domain = await created(owner.post('/mobile-wallet/domains', { domain_name: 'loja.wallet.test' }));
  const url = 'https://loja.invalid/hook';
  const endpoint = await created(owner.post('/webhook-endpoints', { url, events: ['*'] }));
  const delivery = await created(owner.post(`/webhook-endpoints/${endpoint.id}/ping`));
  owned = {
    recipient: [recipient.id, recipient.hash],
    customer: [customer.id, customer.hash, customer.email],
    card: [payment.credit_card.id],
    order: [payment.order_id, payment.order_code],
    payment: [payment.id, payment.hash, payment.order_code, pix.pix.txid],
    dispute: [dispute.id],
    product: [product.id],
    offer: [offer.id],
    link: [link.id],
    subscription: [subscription.id, subscription.code],
    event: [event.id],
    script: [script.id],
    domain: [domain.id],
    endpoint: [endpoint.id],
    delivery: [delivery.id],
  };
});
after(() => service.stop());

// Operations without a key are for everyone who knows the hash.
const named = [...loadContract().operations.values()].filter(
  ({ path, isOpen }) => path.includes('{') && !isOpen,
);

describe('the data of another merchant', () => {
  for (const { operationId, method, path } of named) {
    it(`is not found by ${operationId}, and does not change`, async () => {
      const kind = NAMES[path]!;
      const ask = (name: string) => {
        const there = path.replace(/\{\w+\}/, encodeURIComponent(name));
        const body = BODIES[operationId];
        return stranger.call(method.toUpperCase(), there, body === undefined ? {} : { body });
      };
      const nothing = await ask(randomUUID());
      assert.equal(nothing.status, 404);
      const own = READ[kind](owned[kind][0]!);
      const asItWas: Json = await owner.get(own);
      for (const name of owned[kind]) {
        const { status, text } = await ask(name);
        assert.deepEqual([status, text], [404, nothing.text], name);
      }
      assert.deepEqual(await owner.get(own), asItWas);
    });
  }

  it('is in no list, with any filter or with a cursor of that merchant', async () => {
    const [customer, payment] = [owned.customer, owned.payment];
    const { pagination } = await owner.get('/events?per_page=1');
    for (const query of [
      '/recipients?per_page=100',
      '/customers?per_page=100',
      `/customers?email=${customer[2]}`,
      `/charges/orders?customer_id=${customer[0]}`,
      `/charges/orders?code=${payment[2]}`,
      '/charges/orders?status=pending',
      '/products?name=Curso',
      '/disputes',
      '/payment-links?status=active',
      '/subscriptions?status=active',
      `/subscriptions?code=${owned.subscription[1]}`,
      `/payments?subscription_id=${owned.subscription[0]}`,
      `/charges/orders?cursor=${pagination.next_cursor}`,
      `/payments?customer_id=${customer[0]}`,
      `/payments?order_code=${payment[2]}`,
      `/events?payment_id=${payment[0]}`,
      `/events?cursor=${pagination.next_cursor}`,
      `/payments?cursor=${pagination.next_cursor}`,
      '/mobile-wallet/domains',
      '/webhook-endpoints',
      '/webhook-deliveries',
      `/webhook-deliveries?endpoint_id=${owned.endpoint[0]}`,
    ]) {
      assert.deepEqual((await stranger.get(query)).data, [], query);
    }
  });
});
