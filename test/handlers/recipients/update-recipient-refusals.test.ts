import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  ALPHANUMERIC_CNPJ,
  BANK_ACCOUNT,
  companyBody,
  individualBody,
  newEmail,
} from '../../support/orders/parties.ts';
import { partyCalls, refusedFields } from '../../support/orders/party-calls.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService();
let key: string;
beforeEach(async () => {
  key = (await service.newMerchant()).apiKey;
});
const { created, update } = partyCalls(service, '/recipients', () => key);

describe('400', () => {
  it('reports malformed JSON in the error body', async () => {
    const { id } = await created(companyBody());
    const { status, body } = await update(id, '{"email":');
    assert.equal(status, 400);
    assert.equal(body.error.code, 'invalid_json');
  });
});

describe('401', () => {
  it('has the message Unauthenticated', async () => {
    const answer = await service.call('PUT', '/recipients/x', { key: null, body: {} });
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.body, { message: 'Unauthenticated.' });
  });
});

describe('404', () => {
  it('is the same for a recipient of another merchant and an unknown one', async () => {
    const theirs = await created(companyBody());
    const owner = key;
    key = (await service.newMerchant()).apiKey;
    for (const uuid of [theirs.id, theirs.hash, '01a1fe6a-22b8-7a0d-aaba-4b156961c049', 'x', '%00']) {
      const { status, body } = await update(uuid, { trade_name: 'Mine' });
      assert.equal(status, 404, uuid);
      assert.deepEqual(body, { error: 'Recipient not found.' });
    }
    key = owner;
    assert.equal(
      (await service.call('GET', `/recipients/${theirs.id}`, { key })).body.trade_name,
      'Studio Norte',
    );
  });

  it('reports an unknown country after the validation of fields, and changes nothing', async () => {
    const { id } = await created(companyBody());
    const wrong = await update(id, { address: { country: 'ZZ' }, trade_name: 'Norte' });
    assert.equal(wrong.status, 404);
    assert.deepEqual(Object.keys(wrong.body.errors), ['address.country']);
    assert.equal((await update(id, { address: { country: 'ZZ' }, type: 'individual' })).status, 422);
    assert.equal((await update(id, {})).body.trade_name, 'Studio Norte');
  });
});

describe('422', () => {
  const refused = (id: string, body: object | string) => refusedFields(update(id, body));

  it('reports every violation together', async () => {
    const { id } = await created(companyBody());
    const body = {
      email: 'not-an-email',
      phone: { number: '1234567890' },
      bank_account: { bank_ispb: '123' },
      managing_partners: [],
      document: { type: 'cnpj', value: '12ABC34501DE36' },
      number: 9,
    };
    assert.deepEqual(await refused(id, body), [
      'bank_account.bank_ispb',
      'document.value',
      'email',
      'managing_partners',
      'number',
      'phone.number',
    ]);
  });

  it('validates the merged record by all rules of the creation', async () => {
    const taken = (await created(companyBody())).email;
    const { id } = await created(individualBody());
    const body = { type: 'company', email: taken.toUpperCase(), bank_account: { pix_key: 'k' } };
    assert.deepEqual(await refused(id, body), [
      'bank_account.account_check_digit',
      'bank_account.account_number',
      'bank_account.bank_ispb',
      'bank_account.branch_number',
      'bank_account.holder_name',
      'bank_account.pix_key_type',
      'bank_account.receiver_type',
      'bank_account.status',
      'email',
      'founding_date',
    ]);
    const company = await created(companyBody({ document: { type: 'cnpj', value: ALPHANUMERIC_CNPJ } }));
    assert.deepEqual(await refused(company.id, { type: 'individual' }), ['birthday', 'name']);
  });

  it('needs pix_key_type with pix_key', async () => {
    const { pix_key, pix_key_type: _, ...rest } = BANK_ACCOUNT;
    const { id } = await created(companyBody({ bank_account: { ...rest, pix_key: undefined } }));
    assert.deepEqual(await refused(id, { bank_account: { pix_key } }), ['bank_account.pix_key_type']);
  });

  it('refuses the e-mail of another recipient of the merchant, also when two want it at once', async () => {
    const [one, other] = [await created(companyBody()), await created(companyBody())];
    assert.deepEqual(await refused(one.id, { email: other.email }), ['email']);
    const email = newEmail();
    const answers = await Promise.all([one, other].map(({ id }) => update(id, { email })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
    const loser = answers.find(({ status }) => status === 422)!;
    assert.deepEqual(Object.keys(loser.body.errors), ['email']);
  });

  it('allows at most 50 metadata keys after the merge', async () => {
    const keys = (from: number, to: number, value: string | null) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, value]));
    const { id } = await created(companyBody({ metadata: keys(0, 50, 'v') }));
    assert.deepEqual(await refused(id, { metadata: { more: 'v' } }), ['metadata']);
    const { status, body } = await update(id, { metadata: { ...keys(0, 10, null), ...keys(50, 60, 'v') } });
    assert.equal(status, 200);
    assert.equal(Object.keys(body.metadata).length, 50);
  });

  it('refuses text that cannot be stored', async () => {
    const { id } = await created(companyBody());
    assert.deepEqual(await refused(id, { metadata: { a: 'x\u0000' }, trade_name: '\u0000' }), [
      'metadata.a',
      'trade_name',
    ]);
    assert.deepEqual(await refused(id, '{"metadata":{"a":"\\udc00"}}'), ['metadata.a']);
    assert.deepEqual(await refused(id, { founding_date: '2024-02-30' }), ['founding_date']);
  });
});
