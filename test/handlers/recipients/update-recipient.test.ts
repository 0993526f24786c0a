import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { bankAccountContext } from '../../../services/recipients/bank-account.ts';
import {
  ADDRESS,
  BANK_ACCOUNT,
  CPF,
  companyBody,
  newEmail,
  PARTNER,
  PHONE,
} from '../../support/orders/parties.ts';
import { partyCalls } from '../../support/orders/party-calls.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService();
let key: string;
beforeEach(async () => {
  key = (await service.newMerchant()).apiKey;
});
const { created, update } = partyCalls(service, '/recipients', () => key);

/** The whole bank account as it is kept. */
async function storedBankAccount(id: string): Promise<unknown> {
  const [row] = await service.deps.db.anywhere<{ bank_account_sealed: Buffer }>(
    'select bank_account_sealed from recipients where id = :id',
    { id },
  );
  const plain = await service.deps.vault.open(row!.bank_account_sealed, bankAccountContext(id));
  return JSON.parse(plain.toString());
}

describe('200', () => {
  it('changes only the sent fields and updated_at', async () => {
    const { updated_at: _, ...before } = await created(companyBody({ metadata: { a: '1' } }));
    const email = newEmail();
    const { status, body } = await update(before.id, { email, status: 'blocked' });
    assert.equal(status, 200);
    const { updated_at, ...rest } = body;
    assert.match(updated_at, /^\d\d\/\d\d\/\d{4} /);
    assert.deepEqual(rest, { ...before, email, status: 'blocked' });
    const read = await service.call('GET', `/recipients/${before.id}`, { key });
    assert.deepEqual(read.body, body);
  });

  it('replaces a bank account that cannot be read any more, if all of it is sent', async () => {
    const { id } = await created(companyBody({ bank_account: BANK_ACCOUNT }));
    const sql = "update recipients set bank_account_sealed = decode('00', 'hex') where id = :id";
    await service.deps.db.anywhere(sql, { id });
    const part = await update(id, { bank_account: { holder_name: 'Norte' } });
    assert.equal(part.status, 422);
    assert.ok(Object.keys(part.body.errors).includes('bank_account.account_number'));
    assert.equal((await update(id, { bank_account: BANK_ACCOUNT })).status, 200);
    assert.ok(await storedBankAccount(id));
  });

  it('sets updated_at to the current moment of the merchant', async () => {
    const recipient = await created(companyBody());
    await service.deps.db.anywhere(
      "update recipients set created_at = '2020-01-01', updated_at = '2020-01-01' where id = :id",
      { id: recipient.id },
    );
    const { body } = await update(recipient.id, { trade_name: 'Norte' });
    assert.equal(body.created_at, '31/12/2019 21:00:00');
    assert.ok(body.updated_at.slice(6, 10) > '2025');
  });

  it('finds the recipient by hash, and by UUID in either case', async () => {
    const { id, hash } = await created(companyBody());
    assert.equal((await update(hash, { trade_name: 'One' })).body.trade_name, 'One');
    assert.equal((await update(id.toUpperCase(), { trade_name: 'Two' })).body.trade_name, 'Two');
  });

  it('merges address and phone field by field, replaces document and managing partners', async () => {
    const { id } = await created(companyBody());
    const partner = { ...PARTNER, name: 'Dora Reis', document: CPF };
    const { body } = await update(id, {
      address: { number: '2000', country: 'pt' },
      phone: { number: '999' },
      document: { type: 'cpf', value: CPF },
      managing_partners: [partner],
    });
    assert.deepEqual(body.address, { ...ADDRESS, number: '2000', country: 'PT' });
    assert.deepEqual(body.phone, { ...PHONE, number: '999' });
    assert.deepEqual(body.document, { type: 'cpf', value: CPF });
    assert.deepEqual(body.managing_partners, [partner]);
  });

  it('merges metadata, and null removes a key', async () => {
    const { id } = await created(companyBody({ metadata: { a: '1', b: '2' } }));
    const { body } = await update(id, '{"metadata":{"a":null,"c":"3","never":null,"__proto__":"p"}}');
    assert.deepEqual(Object.entries(body.metadata).sort(), [
      ['__proto__', 'p'],
      ['b', '2'],
      ['c', '3'],
    ]);
  });

  it('adds bank data to a recipient without any, and then merges it field by field', async () => {
    const { id } = await created(companyBody());
    const { pix_key, pix_key_type, ...withoutPix } = BANK_ACCOUNT;
    const added = await update(id, { bank_account: withoutPix });
    assert.deepEqual(added.body.bank_account, { bank_ispb: '60701190', account_last_4: '1234' });
    await update(id, { bank_account: { pix_key, pix_key_type } });
    const changed = await update(id, { bank_account: { account_number: '98' } });
    assert.deepEqual(changed.body.bank_account, { bank_ispb: '60701190', account_last_4: '98' });
    await update(id, { bank_account: { pix_key: 'another' } });
    assert.deepEqual(await storedBankAccount(id), {
      bankIspb: '60701190',
      holderName: 'Studio Norte Holder',
      branchNumber: '3421',
      branchCheckDigit: '5',
      accountNumber: '98',
      accountCheckDigit: '4',
      status: 'approved',
      receiverType: 'checking',
      pixKey: 'another',
      pixKeyType: 'email',
    });
  });

  it('keeps bank data that is not in the request', async () => {
    const { id } = await created(companyBody({ bank_account: BANK_ACCOUNT }));
    const kept = await storedBankAccount(id);
    const { body } = await update(id, { trade_name: 'Norte' });
    assert.equal(body.bank_account.account_last_4, '1234');
    assert.deepEqual(await storedBankAccount(id), kept);
  });

  it('changes a company to an individual if the record has the required fields', async () => {
    const { id } = await created(companyBody({ name: 'Carla Dias' }));
    const { status, body } = await update(id, { type: 'individual', birthday: '1990-02-17' });
    assert.equal(status, 200);
    assert.equal(body.type, 'individual');
    assert.equal(body.founding_date, '2019-03-12');
  });

  it('accepts the recipient’s own e-mail in another case', async () => {
    const { id, email } = await created(companyBody());
    assert.equal((await update(id, { email: email.toUpperCase() })).body.email, email.toUpperCase());
  });

  it('applies simultaneous changes of different fields', async () => {
    const { id } = await created(companyBody({ bank_account: BANK_ACCOUNT }));
    const keys = Array.from({ length: 8 }, (_, i) => `key-${i}`);
    const changes = [
      ...keys.map((name) => ({ metadata: { [name]: 'set' } })),
      { address: { line_1: 'Rua Nova' } },
      { address: { number: '7' } },
      { bank_account: { account_number: '5555' } },
      { bank_account: { holder_name: 'Novo' } },
      { phone: { number: '123' } },
      { trade_name: 'Tudo' },
    ];
    const answers = await Promise.all(changes.map((body) => update(id, body)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const { body } = await service.call('GET', `/recipients/${id}`, { key });
    assert.deepEqual(Object.keys(body.metadata).sort(), keys);
    assert.deepEqual(body.address, { ...ADDRESS, line_1: 'Rua Nova', number: '7' });
    assert.equal(body.phone.number, '123');
    assert.equal(body.trade_name, 'Tudo');
    const account = (await storedBankAccount(id)) as Record<string, string>;
    assert.deepEqual([account.accountNumber, account.holderName], ['5555', 'Novo']);
  });
});
