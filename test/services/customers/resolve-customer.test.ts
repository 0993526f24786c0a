import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import { type CustomerReference, resolveCustomer } from '../../../services/customers/resolve-customer.ts';
import { authenticate } from '../../../services/merchants/authenticate.ts';
import { Refusal } from '../../../services/refusal.ts';
import { ADDRESS, CNPJ, CPF, customerBody, newEmail } from '../../support/orders/parties.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let merchant: Merchant;
before(async () => {
  service = await startTestService();
  merchant = (await authenticate(service.deps, service.merchant.apiKey)).merchant;
});
after(() => service.stop());

const resolve = (reference: CustomerReference, as = merchant) =>
  service.deps.db.transaction(as, (tx) =>
    resolveCustomer({ deps: service.deps, tx, merchant: as }, reference),
  );

async function refusedFields(reference: CustomerReference, as = merchant): Promise<string[]> {
  const error = await resolve(reference, as).then(
    () => assert.fail('It was resolved.'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Refusal, String(error));
  assert.equal(error.reason, 'invalid_input');
  return Object.keys(error.fields ?? {}).sort();
}

async function created(fields: object = {}) {
  return (await service.call('POST', '/customers', { body: customerBody(fields) })).body;
}

describe('with an id', () => {
  it('finds the stored customer, and prefers the tax number to a passport', async () => {
    const documents = [
      { type: 'passport', value: 'FX1' },
      { type: 'cpf', value: CPF },
    ];
    const { id, name, email } = await created({ documents });
    const document = { type: 'cpf', value: CPF };
    const expected = { id, name, email, document, address: null };
    assert.deepEqual(await resolve({ id: id.toUpperCase() }), expected);
  });

  it('has no document if the customer has none, or only a passport', async () => {
    assert.equal((await resolve({ id: (await created()).id })).document, null);
    const foreigner = await created({ documents: [{ type: 'passport', value: 'FX1' }] });
    assert.equal((await resolve({ id: foreigner.id })).document, null);
  });

  it('prefers what the merchant sends to what a buyer has typed at a checkout page', async () => {
    const { id } = await created({ documents: [{ type: 'cpf', value: CPF }] });
    const documents = [{ type: 'cnpj', value: CNPJ } as const];
    assert.deepEqual((await resolve({ id, documents })).document, { type: 'cpf', value: CPF });
    await service.rows('update customers set typed_by_buyer = true where id = :id', { id });
    assert.deepEqual((await resolve({ id, documents })).document, { type: 'cnpj', value: CNPJ });
    assert.deepEqual((await resolve({ id })).document, { type: 'cpf', value: CPF });
  });

  it('has single lines, also of texts that were stored before the contract refused others', async () => {
    const address = {
      type: 'billing',
      line1: 'Rua\r\nda Praia',
      line2: 'Fundos\t2',
      number: '10',
      neighborhood: 'Centro',
      city: 'Porto\nAlegre',
      state: 'RS',
      postalCode: '90010000',
      country: 'BR',
    };
    const { id } = await created();
    await service.rows(
      'update customers set name = :name, addresses = cast(:addresses as jsonb) where id = :id',
      { id, name: 'Ana\tSilva\n', addresses: JSON.stringify([address]) },
    );
    const found = await resolve({ id });
    assert.equal(found.name, 'Ana Silva');
    assert.deepEqual(found.address, {
      ...address,
      line1: 'Rua da Praia',
      line2: 'Fundos 2',
      city: 'Porto Alegre',
    });
  });

  it('has a dash for each required text that is only white space, and leaves out others', async () => {
    const line = { line_1: ' ', line_2: ' ', number: ' ', neighborhood: ' ', city: ' ', state: '  ' };
    const { id, email } = await created({ name: ' ', addresses: [{ ...ADDRESS, ...line }] });
    const dashes = { line1: '-', number: '-', neighborhood: '-', city: '-', state: '-' };
    for (const found of [
      await resolve({ id }),
      await resolve({ email, name: ' ' }),
      await resolve({ email, name: ' ', isTypedByBuyer: true }),
    ]) {
      assert.equal(found.name, '-');
      if (found.address === null) continue;
      assert.deepEqual(found.address, { type: 'billing', postalCode: '01310200', country: 'BR', ...dashes });
    }
  });

  for (const name of ['\u200b', '\u3164', '\u2800 ', '\u00ad\u202e', '\u0301', '\ufe0f']) {
    it(`has a dash for a name that cannot be seen (${name.codePointAt(0)!.toString(16)})`, async () => {
      const { id } = await created();
      await service.rows('update customers set name = :name where id = :id', { id, name });
      assert.equal((await resolve({ id })).name, '-');
    });
  }

  it('keeps a name that can be seen', async () => {
    const { id } = await created();
    for (const name of ['e\u0301', '김', '\u{1f468}\u200d\u{1f469}', 'A\u200bB', '-', '½']) {
      await service.rows('update customers set name = :name where id = :id', { id, name });
      assert.equal((await resolve({ id })).name, name);
    }
  });

  it('refuses an id that is unknown, malformed or of another merchant, on customer.id', async () => {
    const { id } = await created();
    const stranger = (await authenticate(service.deps, (await service.newMerchant()).apiKey)).merchant;
    assert.deepEqual(await refusedFields({ id }, stranger), ['customer.id']);
    for (const wrong of ['01a1fe6a-22b8-7a0d-aaba-4b156961c049', 'x', '\u0000', `{${id}}`]) {
      assert.deepEqual(await refusedFields({ id: wrong }), ['customer.id'], wrong);
    }
  });
});

describe('without an id', () => {
  it('finds by e-mail without case, and changes nothing', async () => {
    const before = await created({ documents: [{ type: 'cpf', value: CPF }] });
    const found = await resolve({
      name: 'Another name',
      email: before.email.toUpperCase(),
      documents: [{ type: 'cnpj', value: CNPJ }],
    });
    const { id, name, email } = before;
    const document = { type: 'cpf', value: CPF };
    assert.deepEqual(found, { id, name, email, document, address: null });
    assert.deepEqual((await service.call('GET', `/customers/${id}`)).body, before);
  });

  it('uses the tax number of the request if the stored customer has none', async () => {
    for (const documents of [[], [{ type: 'passport', value: 'FX1' }]]) {
      const { name, email } = await created({ documents });
      const found = await resolve({ name, email, documents: [{ type: 'cpf', value: CPF }] });
      assert.deepEqual(found.document, { type: 'cpf', value: CPF });
    }
  });

  it('creates the customer with all fields of the request if the e-mail is new', async () => {
    const email = newEmail();
    const { id } = await resolve({ name: 'Nova', email, metadata: { a: '1' } });
    const { body } = await service.call('GET', `/customers/${id}`);
    assert.deepEqual([body.name, body.email, body.metadata], ['Nova', email, { a: '1' }]);
  });

  it('creates one customer for many simultaneous orders', async () => {
    const email = newEmail();
    const found = await Promise.all(Array.from({ length: 10 }, () => resolve({ name: 'Muitos', email })));
    assert.equal(new Set(found.map(({ id }) => id)).size, 1);
    assert.equal((await service.call('GET', `/customers?email=${email}`)).body.data.length, 1);
  });

  it('ignores the customers of other merchants', async () => {
    const { id, email } = await created();
    const stranger = (await authenticate(service.deps, (await service.newMerchant()).apiKey)).merchant;
    assert.notEqual((await resolve({ name: 'A', email }, stranger)).id, id);
  });

  it('refuses documents and countries under paths that begin with customer', async () => {
    const documents = [{ type: 'cpf', value: '52998224724' }] as const;
    const addresses = [{ country: 'ZZ' }] as never;
    assert.deepEqual(await refusedFields({ name: 'A', email: newEmail(), documents, addresses }), [
      'customer.addresses.0.country',
      'customer.documents.0.value',
    ]);
  });
});
