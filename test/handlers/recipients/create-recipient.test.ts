import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  ADDRESS,
  BANK_ACCOUNT,
  CNPJ,
  companyBody,
  individualBody,
  newEmail,
} from '../../support/orders/parties.ts';
import { partyCalls } from '../../support/orders/party-calls.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService();
let key: string;
beforeEach(async () => {
  key = (await service.newMerchant()).apiKey;
});
const { create, countOf } = partyCalls(service, '/recipients', () => key);

describe('201', () => {
  it('returns the whole record of a company, with only the bank and the last 4 digits of its bank account', async () => {
    const sent = companyBody({ bank_account: BANK_ACCOUNT, metadata: { course: 'foto' } });
    const { status, body } = await create(sent);
    assert.equal(status, 201);
    const { id, hash, created_at, updated_at, ...rest } = body;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(hash, /^[a-z2-7]{16,}$/);
    assert.match(created_at, /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
    assert.equal(updated_at, created_at);
    const bank_account = { bank_ispb: BANK_ACCOUNT.bank_ispb, account_last_4: '1234' };
    assert.deepEqual(rest, { ...sent, number: 1, name: null, birthday: null, bank_account });
  });

  it('accepts an individual without bank account and metadata', async () => {
    const { status, body } = await create(individualBody());
    assert.equal(status, 201);
    assert.equal(body.name, 'Carla Dias');
    assert.equal(body.birthday, '1990-02-17');
    assert.equal(body.founding_date, null);
    assert.equal(body.bank_account, null);
    assert.deepEqual(body.metadata, {});
  });

  it('numbers the recipients of each merchant 1, 2, 3', async () => {
    const numbers = [];
    for (let i = 0; i < 3; i += 1) numbers.push((await create(companyBody())).body.number);
    assert.deepEqual(numbers, [1, 2, 3]);
    key = (await service.newMerchant()).apiKey;
    assert.equal((await create(companyBody())).body.number, 1);
  });

  it('accepts numeric and alphanumeric CNPJs, and a country in lower case', async () => {
    const body = companyBody({
      document: { type: 'cnpj', value: CNPJ },
      address: { ...ADDRESS, country: 'br' },
    });
    const created = await create(body);
    assert.equal(created.status, 201);
    assert.equal(created.body.document.value, CNPJ);
    assert.equal(created.body.address.country, 'BR');
  });

  it('stores any metadata key, also __proto__', async () => {
    const metadata = '{"__proto__":"p","constructor":"c","line_1":"l","é😀":"u"}';
    const created = await create(JSON.stringify(companyBody()).replace(/}$/, `,"metadata":${metadata}}`));
    assert.equal(created.status, 201);
    const expected = [
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['line_1', 'l'],
      ['é😀', 'u'],
    ];
    const read = await service.call('GET', `/recipients/${created.body.id}`, { key });
    for (const { body } of [created, read]) {
      assert.deepEqual(Object.entries(body.metadata).sort(), expected);
    }
  });

  it('stores only the bank and the last 4 digits of the bank account unencrypted', async () => {
    const { body } = await create(companyBody({ bank_account: BANK_ACCOUNT }));
    const [row] = await service.deps.db.anywhere<object>('select * from recipients where id = :id', {
      id: body.id,
    });
    const text = JSON.stringify(row, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    for (const secret of [BANK_ACCOUNT.account_number, BANK_ACCOUNT.holder_name, BANK_ACCOUNT.pix_key]) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.ok(text.includes(BANK_ACCOUNT.bank_ispb));
  });

  it('returns the same bytes for a repeated Idempotency-Key, and creates one recipient', async () => {
    const body = companyBody();
    const once = { idempotencyKey: 'one' };
    const first = await create(body, once);
    const again = await create(body, once);
    assert.equal(again.status, 201);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(await countOf(), 1);
  });
});

describe('200', () => {
  it('returns the recipient with the e-mail in another case, and changes nothing', async () => {
    const first = await create(companyBody({ email: 'Studio@Example.com' }));
    const other = await create(individualBody({ email: 'STUDIO@example.COM' }));
    assert.equal(other.status, 200);
    assert.deepEqual(other.body, first.body);
    assert.equal(await countOf(), 1);
    assert.equal((await create(companyBody())).body.number, 2);
  });

  it('creates one recipient with one number for simultaneous requests with one e-mail', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => create(companyBody({ email, external_reference: `run-${i}` }))),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(11).fill(200), 201]);
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.equal((await create(companyBody())).body.number, 2);
  });

  it('numbers simultaneous creations without gaps and duplicates', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(companyBody())));
    const numbers = answers.map(({ body }) => body.number).sort((a, b) => a - b);
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('does not apply to the same e-mail of another merchant', async () => {
    const body = companyBody();
    assert.equal((await create(body)).status, 201);
    key = (await service.newMerchant()).apiKey;
    assert.equal((await create(body)).status, 201);
  });
});
