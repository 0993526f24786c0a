import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  ADDRESS,
  ALPHANUMERIC_CNPJ,
  BANK_ACCOUNT,
  CNPJ,
  CPF,
  companyBody,
  individualBody,
  PARTNER,
  PHONE,
} from '../../support/orders/parties.ts';
import { partyCalls, refusedFields } from '../../support/orders/party-calls.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService();
let key: string;
beforeEach(async () => {
  key = (await service.newMerchant()).apiKey;
});
const { create, countOf } = partyCalls(service, '/recipients', () => key);

describe('401', () => {
  it('has only the message Unauthenticated', async () => {
    const { status, body, headers } = await service.call('POST', '/recipients', { key: null, body: {} });
    assert.equal(status, 401);
    assert.deepEqual(body, { message: 'Unauthenticated.' });
    assert.equal(headers.get('www-authenticate'), 'Bearer');
  });
});

describe('404', () => {
  const nowhere = { ...ADDRESS, country: 'ZZ' };

  it('reports an unknown country', async () => {
    for (const country of ['ZZ', 'zz', 'XK', 'EU']) {
      const { status, body } = await create(companyBody({ address: { ...ADDRESS, country } }));
      assert.equal(status, 404, country);
      assert.deepEqual(Object.keys(body.errors), ['address.country']);
    }
    assert.equal(await countOf(), 0);
  });

  it('comes after the validation of fields and before the check of the e-mail', async () => {
    const wrong = { address: nowhere, document: { type: 'cpf', value: '52998224724' } };
    assert.equal((await create(companyBody(wrong))).status, 422);
    const first = companyBody();
    await create(first);
    assert.equal((await create({ ...first, address: nowhere })).status, 404);
  });
});

describe('422', () => {
  const refused = (body: object | string) => refusedFields(create(body));

  it('reports every violation of a request together', async () => {
    const body = companyBody({
      email: undefined,
      nickname: 'x',
      founding_date: '2024-02-30',
      document: { type: 'cnpj', value: '11222333000182' },
      phone: { ...PHONE, number: '1234567890' },
      address: { ...ADDRESS, country: 'BRA', state: 'SPO' },
      managing_partners: [PARTNER, { ...PARTNER, document: '11144477734', role_description: undefined }],
      bank_account: { ...BANK_ACCOUNT, bank_ispb: '1234567', pix_key_type: undefined },
    });
    assert.deepEqual(await refused(body), [
      'address.country',
      'address.state',
      'bank_account.bank_ispb',
      'bank_account.pix_key_type',
      'document.value',
      'email',
      'founding_date',
      'managing_partners.1.document',
      'managing_partners.1.role_description',
      'nickname',
      'phone.number',
    ]);
    assert.equal(await countOf(), 0);
  });

  it('requires every field of the specification', async () => {
    assert.deepEqual(await refused({}), [
      'address',
      'company_type',
      'document',
      'email',
      'external_reference',
      'legal_name',
      'managing_partners',
      'phone',
      'status',
      'trade_name',
      'type',
    ]);
  });

  it('requires the fields of its type', async () => {
    const individual = individualBody({ name: undefined, birthday: undefined });
    assert.deepEqual(await refused(individual), ['birthday', 'name']);
    assert.deepEqual(await refused(companyBody({ founding_date: undefined })), ['founding_date']);
  });

  it('requires every field of a bank account', async () => {
    const required = [
      'account_check_digit',
      'account_number',
      'bank_ispb',
      'branch_number',
      'holder_name',
      'receiver_type',
      'status',
    ];
    assert.deepEqual(
      await refused(companyBody({ bank_account: {} })),
      required.map((name) => `bank_account.${name}`),
    );
  });

  it('refuses documents with formatting, a wrong length, or wrong check digits', async () => {
    const documents = [
      ['cpf', '529.982.247-25'],
      ['cpf', '52998224726'],
      ['cpf', '11111111111'],
      ['cpf', CNPJ],
      ['cnpj', CPF],
      ['cnpj', '11.222.333/0001-81'],
      ['cnpj', ALPHANUMERIC_CNPJ.toLowerCase()],
      ['cnpj', '12ABC34501DE36'],
      ['cnpj', '00000000000000'],
    ];
    for (const [type, value] of documents) {
      assert.deepEqual(await refused(companyBody({ document: { type, value } })), ['document.value'], value);
    }
  });

  it('needs at least one managing partner', async () => {
    assert.deepEqual(await refused(companyBody({ managing_partners: [] })), ['managing_partners']);
  });

  it('limits metadata to 50 keys of 40 characters with values of 500', async () => {
    const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));
    assert.deepEqual(await refused(companyBody({ metadata: keys(51) })), ['metadata']);
    assert.deepEqual(await refused(companyBody({ metadata: { a: 'x'.repeat(501), b: 1 } })), [
      'metadata.a',
      'metadata.b',
    ]);
    assert.equal((await create(companyBody({ metadata: { ['k'.repeat(41)]: 'v' } }))).status, 422);
    const full = { ...keys(49), ['k'.repeat(40)]: 'x'.repeat(500) };
    assert.equal((await create(companyBody({ metadata: full }))).status, 201);
  });

  it('refuses text that cannot be stored or is too long, and dates that do not exist', async () => {
    assert.deepEqual(await refused(companyBody({ legal_name: 'a\u0000b' })), ['legal_name']);
    const surrogate = JSON.stringify(companyBody({ trade_name: 'HALF' })).replace('HALF', '\\ud800');
    assert.deepEqual(await refused(surrogate), ['trade_name']);
    for (const day of ['2024-02-30', '0000-01-01', '2023-02-29', '1990-1-1', '1990-01-01T00:00:00Z']) {
      assert.deepEqual(await refused(individualBody({ birthday: day })), ['birthday'], day);
    }
    assert.deepEqual(await refused(companyBody({ external_reference: 'x'.repeat(200_000) })), [
      'external_reference',
    ]);
    assert.deepEqual(
      await refused(companyBody({ email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(80)}` })),
      ['email'],
    );
    assert.deepEqual(await refused(JSON.stringify(companyBody()).replace('{', '{"__proto__":{"a":1},')), [
      '__proto__',
    ]);
  });
});
