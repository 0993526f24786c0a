import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { watchEventLoop } from '../../support/http/event-loop.ts';
import {
  ADDRESS,
  ALPHANUMERIC_CNPJ,
  CNPJ,
  CPF,
  customerBody,
  newEmail,
  PHONE,
} from '../../support/orders/parties.ts';
import { partyCalls, refusedFields } from '../../support/orders/party-calls.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService();
let key: string;
beforeEach(async () => {
  key = (await service.newMerchant()).apiKey;
});
const { create, countOf } = partyCalls(service, '/customers', () => key);

describe('201', () => {
  it('returns the whole record', async () => {
    const sent = customerBody({
      documents: [
        { type: 'cpf', value: CPF },
        { type: 'cnpj', value: ALPHANUMERIC_CNPJ },
        { type: 'passport', value: 'FX123456' },
      ],
      addresses: [ADDRESS, { ...ADDRESS, type: 'shipping', line_2: undefined, country: 'pt' }],
      phone: { ...PHONE, type: 'mobile' },
      metadata: { student: '4711' },
    });
    const { status, body } = await create(sent);
    assert.equal(status, 201);
    const { id, hash, created_at, updated_at, ...rest } = body;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(hash, /^[a-z2-7]{16,}$/);
    assert.match(created_at, /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
    assert.equal(updated_at, created_at);
    const { line_2: _, ...withoutComplement } = ADDRESS;
    const addresses = [ADDRESS, { ...withoutComplement, type: 'shipping', country: 'PT' }];
    assert.deepEqual(rest, { ...sent, addresses });
  });

  it('needs only a name and an e-mail', async () => {
    const { status, body } = await create({
      name: 'Á'.repeat(191),
      email: `${'a'.repeat(60)}@${'b'.repeat(60)}.com`,
    });
    assert.equal(status, 201);
    assert.deepEqual([body.documents, body.addresses, body.phone, body.metadata], [[], [], null, {}]);
  });

  it('stores any metadata key, also __proto__', async () => {
    const sent = `{"name":"A","email":"${newEmail()}","metadata":{"__proto__":"p","postal_code":"q"}}`;
    const created = await create(sent);
    assert.equal(created.status, 201);
    const read = await service.call('GET', `/customers/${created.body.id}`, { key });
    for (const { body } of [created, read]) {
      assert.deepEqual(Object.entries(body.metadata).sort(), [
        ['__proto__', 'p'],
        ['postal_code', 'q'],
      ]);
    }
  });

  it('is repeated byte for byte under an Idempotency-Key, and refuses the key for another body', async () => {
    const body = customerBody();
    const once = { idempotencyKey: 'one' };
    const first = await create(body, once);
    const again = await create(body, once);
    assert.equal(again.status, 201);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const other = await create(customerBody(), once);
    assert.equal(other.status, 422);
    assert.equal(other.body.error.code, 'idempotency_key_reused');
    assert.equal(await countOf(), 1);
  });
});

describe('400', () => {
  it('reports malformed JSON in the error body', async () => {
    const { status, body } = await create('{"name":');
    assert.equal(status, 400);
    assert.equal(body.error.code, 'invalid_json');
  });
});

describe('401', () => {
  it('reports a missing key', async () => {
    const { status, body } = await create(customerBody(), { key: null });
    assert.equal(status, 401);
    assert.equal(body.error.code, 'unauthorized');
  });
});

describe('422', () => {
  const refused = (body: object | string) => refusedFields(create(body));

  it('reports every violation of a request together', async () => {
    const body = {
      email: 'no e-mail',
      nickname: 'x',
      documents: [
        { type: 'rg', value: '1' },
        { type: 'cpf', value: '52998224724' },
        { type: 'cnpj', value: '11222333000180' },
        { type: 'cpf' },
      ],
      addresses: [
        { ...ADDRESS, country: 'ZZ' },
        { ...ADDRESS, postal_code: '01310-200', number: undefined },
      ],
      phone: { ...PHONE, type: 'cell', number: '1234567890' },
      metadata: { a: null },
    };
    assert.deepEqual(await refused(body), [
      'addresses.0.country',
      'addresses.1.number',
      'addresses.1.postal_code',
      'documents.0.type',
      'documents.1.value',
      'documents.2.value',
      'documents.3.value',
      'email',
      'metadata.a',
      'name',
      'nickname',
      'phone.number',
      'phone.type',
    ]);
  });

  it('refuses an e-mail that the merchant has already used, in any case', async () => {
    await create(customerBody({ email: 'Ana@Example.com' }));
    assert.deepEqual(await refused(customerBody({ email: 'ANA@example.COM' })), ['email']);
    assert.equal(await countOf(), 1);
    key = (await service.newMerchant()).apiKey;
    assert.equal((await create(customerBody({ email: 'Ana@Example.com' }))).status, 201);
  });

  it('creates one of many simultaneous customers with one e-mail', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(customerBody({ email }))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(422)]);
    for (const { status, body } of answers) {
      if (status === 422) assert.deepEqual(Object.keys(body.errors), ['email']);
    }
  });

  it('refuses formatted documents', async () => {
    const documents = [
      { type: 'cpf', value: '529.982.247-25' },
      { type: 'cnpj', value: '11.222.333/0001-81' },
      { type: 'cpf', value: CNPJ },
      { type: 'passport', value: 'FX 12' },
    ];
    const paths = documents.map((_, index) => `documents.${index}.value`);
    assert.deepEqual(await refused(customerBody({ documents })), paths);
  });

  it('refuses text that cannot be stored or is too long', async () => {
    assert.deepEqual(await refused(customerBody({ name: 'a\u0000' })), ['name']);
    assert.deepEqual(await refused(`{"name":"\\ud800","email":"${newEmail()}"}`), ['name']);
    assert.deepEqual(await refused(customerBody({ name: 'x'.repeat(192) })), ['name']);
    assert.deepEqual(await refused(customerBody({ name: 'x'.repeat(200_000) })), ['name']);
    assert.deepEqual(await refused(`{"__proto__":{"name":"A"},"email":"${newEmail()}"}`), [
      '__proto__',
      'name',
    ]);
  });

  it('refuses at once an e-mail that makes a pattern slow', async () => {
    const loop = watchEventLoop();
    assert.deepEqual(
      await refused(customerBody({ email: `${'a.'.repeat(60_000)}@${'a-'.repeat(60_000)}!` })),
      ['email'],
    );
    const still_ms = loop.stop();
    assert.ok(still_ms < 500, `the event loop was blocked for ${still_ms} ms`);
  });
});
