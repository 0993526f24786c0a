import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { customerBody, newEmail } from '../../support/orders/parties.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let key: string;
let customer: { id: string; hash: string; email: string };
before(async () => {
  service = await startTestService();
  key = service.merchant.apiKey;
  const body = customerBody({ email: 'Ana.Souza+loja@Example.com' });
  customer = (await service.call('POST', '/customers', { body })).body;
});
after(() => service.stop());

const read = (identifier: string, as = key) => service.call('GET', `/customers/${identifier}`, { key: as });

describe('200', () => {
  it('finds a customer by UUID and e-mail in any case, and by hash', async () => {
    const emails = [customer.email, customer.email.toLowerCase(), customer.email.toUpperCase()];
    const identifiers = [customer.id, customer.id.toUpperCase(), customer.hash, ...emails];
    for (const identifier of identifiers) {
      const { status, body } = await read(encodeURIComponent(identifier));
      assert.equal(status, 200, identifier);
      assert.deepEqual(body, customer);
    }
    assert.equal((await read(customer.email)).status, 200);
  });
});

describe('400', () => {
  it('reports a malformed identifier', async () => {
    const empty = await service.call('GET', '/customers/', { key });
    assert.equal(empty.status, 400);
    const impossible = [
      '%',
      '%zz',
      'ana%ff@example.com',
      '%ed%a0%80',
      '%00',
      'a%00b',
      'a%0ab',
      '%7f',
      '%c2%85',
      'a'.repeat(192),
      `${'%C3%A1'.repeat(192)}`,
      'a'.repeat(8_000),
    ];
    for (const identifier of impossible) {
      const { status, body } = await read(identifier);
      assert.equal(status, 400, identifier);
      assert.deepEqual(body, { message: 'The identifier is invalid.' });
    }
  });
});

describe('404', () => {
  it('is the same for a customer of another merchant and an unknown one', async () => {
    const stranger = (await service.newMerchant()).apiKey;
    for (const identifier of [customer.id, customer.hash, encodeURIComponent(customer.email)]) {
      const { status, body } = await read(identifier, stranger);
      assert.equal(status, 404, identifier);
      assert.deepEqual(body, { message: 'Customer not found.' });
    }
  });

  it('is the answer to a well-formed identifier that does not exist', async () => {
    const unknown = [
      '01a1fe6a-22b8-7a0d-aaba-4b156961c049',
      newEmail(),
      'k77afdlenfjry4hagozo',
      'x',
      ' ',
      `{${customer.id}}`,
      customer.id.replaceAll('-', ''),
      customer.hash.toUpperCase(),
      'ána@example.com',
      "' or 1=1--",
      '__proto__',
      'a'.repeat(191),
      'á'.repeat(191),
    ];
    for (const identifier of unknown) {
      const { status, body } = await read(encodeURIComponent(identifier));
      assert.equal(status, 404, identifier);
      assert.deepEqual(body, { message: 'Customer not found.' });
    }
  });
});
