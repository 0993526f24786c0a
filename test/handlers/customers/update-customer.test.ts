import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ADDRESS, CNPJ, CPF, customerBody, newEmail, PHONE } from '../../support/orders/parties.ts';
import { partyCalls, refusedFields } from '../../support/orders/party-calls.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService();
let key: string;
beforeEach(async () => {
  key = (await service.newMerchant()).apiKey;
});
const { update, ...calls } = partyCalls(service, '/customers', () => key);
const created = (fields: object = {}) => calls.created(customerBody(fields));

describe('200', () => {
  it('changes only the sent fields and updated_at', async () => {
    const { updated_at: _, ...before } = await created({
      phone: PHONE,
      documents: [{ type: 'cpf', value: CPF }],
    });
    const { status, body } = await update(before.id, { name: 'Ana Prado' });
    assert.equal(status, 200);
    const { updated_at, ...rest } = body;
    assert.match(updated_at, /^\d\d\/\d\d\/\d{4} /);
    assert.deepEqual(rest, { ...before, name: 'Ana Prado' });
    assert.deepEqual((await service.call('GET', `/customers/${before.id}`, { key })).body, body);
  });

  it('replaces documents, addresses and phone as a whole', async () => {
    const documents = [{ type: 'cpf', value: CPF }];
    const { id } = await created({ phone: PHONE, documents, addresses: [ADDRESS, ADDRESS] });
    const phone = { type: 'mobile', ddi: '351', ddd: '91', number: '1' };
    const changes = {
      documents: [{ type: 'cnpj', value: CNPJ }],
      addresses: [{ ...ADDRESS, country: 'pt' }],
      phone,
    };
    const { body } = await update(id, changes);
    assert.deepEqual(body.documents, changes.documents);
    assert.deepEqual(body.addresses, [{ ...ADDRESS, country: 'PT' }]);
    assert.deepEqual(body.phone, phone);
    assert.deepEqual((await update(id, { addresses: [] })).body.addresses, []);
  });

  it('merges metadata, and null removes a key', async () => {
    const { id } = await created({ metadata: { a: '1', b: '2' } });
    const { body } = await update(id, '{"metadata":{"a":null,"c":"3","__proto__":"p"}}');
    assert.deepEqual(Object.entries(body.metadata).sort(), [
      ['__proto__', 'p'],
      ['b', '2'],
      ['c', '3'],
    ]);
  });

  it('finds the customer by hash and by e-mail, which can change in the same request', async () => {
    const { id, hash, email } = await created();
    const next = newEmail();
    assert.equal((await update(encodeURIComponent(email.toUpperCase()), { email: next })).body.email, next);
    assert.equal((await update(hash, { email: next.toUpperCase() })).body.id, id);
    assert.equal((await update(email, {})).status, 404);
  });

  it('applies simultaneous changes of different fields', async () => {
    const { id } = await created();
    const keys = Array.from({ length: 10 }, (_, i) => `key-${i}`);
    const changes = [
      ...keys.map((name) => ({ metadata: { [name]: 'set' } })),
      { name: 'Novo' },
      { phone: PHONE },
    ];
    const answers = await Promise.all(changes.map((body) => update(id, body)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const { body } = await service.call('GET', `/customers/${id}`, { key });
    assert.deepEqual(Object.keys(body.metadata).sort(), keys);
    assert.deepEqual([body.name, body.phone], ['Novo', PHONE]);
  });
});

describe('400', () => {
  it('reports a malformed identifier in its message', async () => {
    for (const identifier of ['%', '%00', 'a'.repeat(192)]) {
      const { status, body } = await update(identifier, {});
      assert.equal(status, 400);
      assert.deepEqual(body, { message: 'The identifier is invalid.' });
    }
  });

  it('reports malformed JSON in the error body', async () => {
    const { status, body } = await update('x', '[');
    assert.equal(status, 400);
    assert.equal(body.error.code, 'invalid_json');
  });
});

describe('404', () => {
  it('is the same for a customer of another merchant and an unknown one', async () => {
    const theirs = await created();
    const owner = key;
    key = (await service.newMerchant()).apiKey;
    for (const identifier of [theirs.id, theirs.hash, theirs.email, newEmail(), 'x']) {
      const { status, body } = await update(identifier, { name: 'Mine' });
      assert.equal(status, 404, identifier);
      assert.deepEqual(body, { message: 'Customer not found.' });
    }
    assert.equal(
      (await service.call('GET', `/customers/${theirs.id}`, { key: owner })).body.name,
      'Ana Souza',
    );
  });
});

describe('422', () => {
  const refused = (id: string, body: object | string) => refusedFields(update(id, body));

  it('reports every violation together', async () => {
    const { id } = await created();
    const body = {
      id: 'x',
      name: '',
      email: 'x',
      documents: [{ type: 'cpf', value: '52998224724' }],
      addresses: [{ ...ADDRESS, country: 'ZZ' }],
      phone: null,
    };
    assert.deepEqual(await refused(id, body), [
      'addresses.0.country',
      'documents.0.value',
      'email',
      'id',
      'name',
      'phone',
    ]);
  });

  it('refuses the e-mail of another customer, also when two want it at once', async () => {
    const [one, other] = [await created(), await created()];
    assert.deepEqual(await refused(one.id, { email: other.email.toUpperCase() }), ['email']);
    const email = newEmail();
    const answers = await Promise.all([one, other].map(({ id }) => update(id, { email })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  });

  it('allows at most 50 metadata keys after the merge, and reports them together with a used e-mail', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    const [{ id }, other] = [await created({ metadata }), await created()];
    const body = { metadata: { more: 'v' }, email: other.email };
    assert.deepEqual(await refused(id, body), ['email', 'metadata']);
    assert.equal((await update(id, { metadata: { k0: null, more: 'v' } })).status, 200);
  });

  it('refuses text that cannot be stored', async () => {
    const { id } = await created();
    assert.deepEqual(await refused(id, { name: 'a\u0000b' }), ['name']);
    assert.deepEqual(await refused(id, '{"metadata":{"k":"\\ud800"}}'), ['metadata.k']);
  });
});
