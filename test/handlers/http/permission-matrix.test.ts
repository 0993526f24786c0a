import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PERMISSIONS, PLANS } from '../../../domain/merchants/plans.ts';
import type { OperationId } from '../../../handlers/http/handler.ts';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { startTestService, type TestService } from '../../support/service.ts';

/** Operations of buyers, which need no key. */
const OPEN = [
  'createCheckoutPayment',
  'createCheckoutSubscription',
  'getCheckout',
  'getCheckoutPayment',
  'getCheckoutPaymentEvents',
  'getCheckoutSubscription',
  'validateWalletSession',
] as const;
type KeyedOperation = Exclude<OperationId, (typeof OPEN)[number]>;

/**
 * What each operation asks of a key (contract row 1.3), not derived from the contract: a missing operation does not
 * compile.
 */
const NEEDED: Readonly<Record<KeyedOperation, string>> = {
  getMerchant: 'merchant:read',
  createRecipient: 'recipients:write',
  listRecipients: 'recipients:read',
  getRecipient: 'recipients:read',
  updateRecipient: 'recipients:write',
  createCustomer: 'customers:write',
  listCustomers: 'customers:read',
  getCustomer: 'customers:read',
  updateCustomer: 'customers:write',
  listCustomerCards: 'cards:read',
  createCard: 'cards:write',
  getCard: 'cards:read',
  deleteCard: 'cards:write',
  requestNetworkToken: 'cards:write',
  getCardEncryptionKey: 'cards:read',
  createOrder: 'payments:write',
  listOrders: 'payments:read',
  getOrder: 'payments:read',
  listPayments: 'payments:read',
  getPayment: 'payments:read',
  capturePayment: 'payments:write',
  cancelPayment: 'payments:write',
  createRefund: 'payments:write',
  listRefunds: 'payments:read',
  getRefund: 'payments:read',
  listDisputes: 'payments:read',
  getDispute: 'payments:read',
  submitEvidence: 'payments:write',
  getBalance: 'balance:read',
  getRecipientBalance: 'balance:read',
  listLedgerEntries: 'balance:read',
  createProduct: 'products:write',
  listProducts: 'products:read',
  getProduct: 'products:read',
  updateProduct: 'products:write',
  createOffer: 'products:write',
  listOffers: 'products:read',
  getOffer: 'products:read',
  updateOffer: 'products:write',
  archiveOffer: 'products:write',
  restoreOffer: 'products:write',
  createSubscription: 'subscriptions:write',
  createPixRecurringSubscription: 'subscriptions:write',
  listSubscriptions: 'subscriptions:read',
  getSubscription: 'subscriptions:read',
  listInvoices: 'subscriptions:read',
  cancelSubscription: 'subscriptions:write',
  changePlan: 'subscriptions:write',
  previewPlanChange: 'subscriptions:write',
  reactivateSubscription: 'subscriptions:write',
  updatePaymentMethod: 'subscriptions:write',
  createPaymentLink: 'payment_links:write',
  listPaymentLinks: 'payment_links:read',
  getPaymentLink: 'payment_links:read',
  updatePaymentLink: 'payment_links:write',
  disablePaymentLink: 'payment_links:write',
  enablePaymentLink: 'payment_links:write',
  listEvents: 'events:read',
  getEvent: 'events:read',
  createWebhookEndpoint: 'webhooks:write',
  listWebhookEndpoints: 'webhooks:read',
  getWebhookEndpoint: 'webhooks:read',
  updateWebhookEndpoint: 'webhooks:write',
  deleteWebhookEndpoint: 'webhooks:write',
  rotateWebhookSecret: 'webhooks:write',
  pingWebhookEndpoint: 'webhooks:write',
  listWebhookDeliveries: 'webhooks:read',
  getWebhookDelivery: 'webhooks:read',
  redeliverWebhookDelivery: 'webhooks:write',
  simulatePayment: 'sandbox:write',
  authorizeMandate: 'sandbox:write',
  cancelMandate: 'sandbox:write',
  createWalletDomain: 'wallet:write',
  listWalletDomains: 'wallet:read',
  getWalletDomain: 'wallet:read',
  deleteWalletDomain: 'wallet:write',
  verifyWalletDomain: 'wallet:write',
  createWalletSession: 'sandbox:write',
  createWalletToken: 'sandbox:write',
  createScript: 'sandbox:write',
  listEmails: 'sandbox:read',
  listScripts: 'sandbox:read',
  deleteScript: 'sandbox:write',
  updateWebhookFaults: 'sandbox:write',
  getClock: 'sandbox:read',
  advanceClock: 'sandbox:write',
  resetSandbox: 'sandbox:write',
};

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const all = [...loadContract().operations.values()];
const operations = all.filter(({ isOpen }) => !isOpen);

it('a key is needed by all operations except those of buyers', () => {
  const open = all.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId);
  assert.deepEqual(open.sort(), OPEN);
});

/** A request that is refused for another reason if it has the permission: the id is unknown, and the body is empty. */
function ask({ method, path, takesBody }: (typeof operations)[number], key: string) {
  const there = path.replaceAll(/\{\w+\}/g, '0197f6f0-0000-7000-8000-000000000000');
  return service.call(method.toUpperCase(), there, { key, ...(takesBody ? { body: {} } : {}) });
}

describe('a key with permissions', () => {
  for (const operation of operations) {
    const needed = NEEDED[operation.operationId as KeyedOperation];

    it(`needs ${needed} for ${operation.operationId}, and nothing else`, async () => {
      const { apiKey } = await service.newKey(service.merchant, [needed]);
      assert.notEqual((await ask(operation, apiKey)).status, 403);
    });

    it(`may not call ${operation.operationId} with all other permissions`, async () => {
      const resource = needed.split(':')[0]!;
      const others = PERMISSIONS.filter((permission) =>
        needed.endsWith(':read') ? !permission.startsWith(`${resource}:`) : permission !== needed,
      );
      const { apiKey } = await service.newKey(service.merchant, others);
      const { status, body, headers } = await ask(operation, apiKey);
      assert.equal(status, 403);
      const isOneCard = operation.path.startsWith('/cards/{uuid}');
      assert.equal(body.error.code, isOneCard ? 'access_denied' : 'forbidden');
      assert.equal(headers.get('idempotency-replayed'), null);
    });
  }
});

describe('an account without a resource in its plan', () => {
  it('may call exactly the operations that the plan includes', async () => {
    const { apiKey } = await service.newMerchant({ plan: 'essential' });
    for (const operation of operations) {
      const resource = NEEDED[operation.operationId as KeyedOperation].split(':')[0]!;
      const { status } = await ask(operation, apiKey);
      assert.equal(status === 403, !PLANS.essential!.resources.has(resource), operation.operationId);
    }
  });
});

describe('a suspended account', () => {
  /** Contract row 1.6; `getMerchant` is the other way round (1.4). */
  const REFUSED: Readonly<Record<string, number>> = {
    createOrder: 403,
    capturePayment: 403,
    createSubscription: 403,
    changePlan: 403,
    previewPlanChange: 403,
    createPixRecurringSubscription: 403,
    reactivateSubscription: 403,
    updatePaymentMethod: 403,
    getMerchant: 401,
  };

  it('may read, refund and cancel, but not charge', async () => {
    const { apiKey } = await service.newMerchant({ status: 'suspended' });
    for (const operation of operations) {
      const { status } = await ask(operation, apiKey);
      const expected = REFUSED[operation.operationId];
      if (expected === undefined) assert.ok(status !== 401 && status !== 403, operation.operationId);
      else assert.equal(status, expected, operation.operationId);
    }
  });
});
