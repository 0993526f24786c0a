/** Hostile identifiers in every path of the contract, one parameter at a time. No answer may be undocumented. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { exampleBody } from '../../support/http/contract-fields.ts';
import { companyBody, customerBody } from '../../support/orders/parties.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service);
await changeMerchant(service.deps, shop.account, { rateLimitPerMinute: 1_000_000 });

const encoded = [
  '{id}',
  '{01a1ff1f-49b8-74d4-b96f-58da6d4a8512}',
  'urn:uuid:01a1ff1f-49b8-74d4-b96f-58da6d4a8512',
  "' or 1=1 --",
  "'; drop table payments; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%2e%2e%2f',
  '\\..\\..',
  'a\r\nX-Evil: 1',
  'a\tb',
  '\u202egnirts',
  '\uff11\uff12\uff13',
  'İ',
  '#{7*7}',
  '%',
  '?cursor=1',
].map(encodeURIComponent);

/** Path segments that can be decoded and stored, and name nothing. */
const HOSTILE = [
  ...encoded,
  UNKNOWN_ID,
  UNKNOWN_ID.toUpperCase(),
  UNKNOWN_ID.replaceAll('-', ''),
  UNKNOWN_ID.slice(0, -1),
  '00000000-0000-0000-0000-000000000000',
  '0',
  '1e999',
  'null',
  '9'.repeat(40),
  '9223372036854775808',
  '__proto__',
  'constructor',
  'a'.repeat(16),
  'a'.repeat(32),
  'a'.repeat(191),
  'a'.repeat(192),
  '+',
  'a;b=c',
  'a@example.com',
];

const { document, operations: all } = loadContract();
const operations = [...all.values()].filter(({ path }) => path.includes('{'));

/** Ids, hashes and references of objects of the merchant, of every kind that is quickly made. */
async function ownIdentifiers(): Promise<string[]> {
  const subscription = await subscribed(shop);
  const order = await shop.placed(shop.pixOrderBody());
  const link = await created(shop.post('/payment-links', linkBody()));
  const recipient = await created(shop.post('/recipients', companyBody()));
  const customer = await created(shop.post('/customers', customerBody()));
  const product = await created(shop.post('/products', { name: 'Clube' }));
  const { data: events } = await shop.get('/events?per_page=1');
  return [
    subscription.id,
    subscription.code,
    subscription.payment.id,
    subscription.payment.hash,
    subscription.card_id,
    order.id,
    order.code,
    order.payment.id,
    order.payment.hash,
    order.payment.pix.txid,
    link.id,
    link.hash,
    recipient.id,
    recipient.hash,
    String(recipient.number),
    customer.id,
    customer.email,
    product.id,
    await offerOf(shop, 9_990),
    events[0].id,
  ];
}

/** The paths of an operation in which one parameter is this segment, and the others an unknown id. */
function pathsWith(template: string, segment: string): string[] {
  const parameters = template.match(/\{\w+\}/g)!;
  return parameters.map((attacked) =>
    template.replaceAll(/\{\w+\}/g, (parameter) => (parameter === attacked ? segment : UNKNOWN_ID)),
  );
}

describe('a hostile identifier in a path', () => {
  it('is tried in every operation that has one', () => {
    assert.ok(operations.length >= 50, `${operations.length} operations`);
  });

  for (const operation of operations) {
    const { operationId, method, path, takesBody } = operation;
    const body = takesBody ? { body: exampleBody(document, path, method) } : {};

    it(`gets a documented refusal from ${operationId}`, async () => {
      for (const there of HOSTILE.flatMap((segment) => pathsWith(path, segment))) {
        const { status, text } = await shop.call(method.toUpperCase(), there, body);
        assert.ok([400, 404, 422].includes(status), `${there} answered ${status}: ${text}`);
      }
    });
  }
});

describe('an identifier of any object of the merchant in a path', async () => {
  const identifiers = (await ownIdentifiers()).map(encodeURIComponent);
  // Reads first, and deletions last.
  const ranks = ['get', 'put', 'post', 'delete'];
  const ordered = operations.toSorted(
    (one, other) => ranks.indexOf(one.method) - ranks.indexOf(other.method),
  );
  for (const operation of ordered) {
    const { operationId, method, path, takesBody } = operation;
    const body = takesBody ? { body: exampleBody(document, path, method) } : {};

    it(`gets a documented answer from ${operationId}`, async () => {
      for (const there of identifiers.flatMap((identifier) => pathsWith(path, identifier))) {
        const { status, text } = await shop.call(method.toUpperCase(), there, body);
        assert.ok(status < 500, `${there} answered ${status}: ${text}`);
      }
    });
  }
});
