import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  findCustomer,
  insertCustomer,
  listCustomers,
  lockCustomer,
  updateCustomer,
} from '../../db/customers/customers.ts';
import { type Database, openDatabase } from '../../db/engine/database.ts';
import {
  findRecipient,
  insertRecipient,
  listRecipients,
  lockNextRecipientNumber,
  lockRecipient,
  updateRecipient,
} from '../../db/recipients/recipients.ts';
import type { Customer } from '../../domain/customers/customer.ts';
import type { Recipient } from '../../domain/recipients/recipient.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { insertTwoMerchants, OURS, THEIRS } from '../support/db/bare-rows.ts';

let created: TestDatabase;
let db: Database;
before(async () => {
  created = await testDatabase();
  db = openDatabase({ url: created.url });
  await insertTwoMerchants(db);
});
after(async () => {
  await db.close();
  await created.drop();
});

const AT = new Date('2026-03-01T12:00:00Z');
const FIRST = { perPage: 10, after: null, createdFrom: null, createdBefore: null };

const CUSTOMER: Customer = {
  id: '00000000-0000-7000-8000-000000000011',
  hash: 'aaaaaaaaaaaaaaaaaaaa',
  name: 'Ana',
  email: 'ana@example.com',
  documents: [{ type: 'passport', value: 'FX1' }],
  addresses: [],
  phone: null,
  metadata: {},
  isTypedByBuyer: false,
  createdAt: AT,
  updatedAt: AT,
};

const RECIPIENT = {
  ...CUSTOMER,
  number: 1,
  externalReference: 'r',
  legalName: 'Norte',
  tradeName: 'Norte',
  status: 'approved',
  type: 'company',
  companyType: 'LTDA',
  birthday: null,
  foundingDate: '2019-03-12',
  document: { type: 'cpf', value: '1' },
  phone: {},
  address: {},
  managingPartners: [],
  bankAccount: null,
} as unknown as Recipient;

const KEYS = [
  { by: 'id', value: CUSTOMER.id },
  { by: 'hash', value: CUSTOMER.hash },
  { by: 'email', value: 'ANA@example.com' },
] as const;

it('a customer is found only by its own merchant', async () => {
  await db.transaction(OURS, (tx) => insertCustomer(tx, OURS, CUSTOMER));
  for (const key of KEYS) {
    assert.deepEqual(await findCustomer(db, OURS, key), CUSTOMER);
    assert.equal(await findCustomer(db, THEIRS, key), undefined, key.by);
    assert.equal(await db.transaction(THEIRS, (tx) => lockCustomer(tx, THEIRS, key)), undefined, key.by);
  }
  await assert.rejects(
    db.transaction(THEIRS, (tx) => updateCustomer(tx, THEIRS, { ...CUSTOMER, name: 'Theirs' })),
  );
  for (const filter of [{}, { email: CUSTOMER.email }, { document: 'FX1' }]) {
    assert.deepEqual((await listCustomers(db, OURS, filter, FIRST)).items, [CUSTOMER]);
    assert.deepEqual((await listCustomers(db, THEIRS, filter, FIRST)).items, []);
  }
  const theirs = await db.transaction(THEIRS, (tx) => insertCustomer(tx, THEIRS, CUSTOMER));
  assert.deepEqual(theirs, CUSTOMER, 'ids and e-mails of another merchant do not conflict');
});

it('a recipient is found only by its own merchant, and numbered per merchant', async () => {
  await db.transaction(OURS, (tx) => insertRecipient(tx, OURS, RECIPIENT, null));
  for (const key of KEYS) {
    assert.equal((await findRecipient(db, OURS, key))?.id, RECIPIENT.id);
    assert.equal(await findRecipient(db, THEIRS, key), undefined, key.by);
    assert.equal(await db.transaction(THEIRS, (tx) => lockRecipient(tx, THEIRS, key)), undefined, key.by);
  }
  await assert.rejects(db.transaction(THEIRS, (tx) => updateRecipient(tx, THEIRS, RECIPIENT, null)));
  for (const filter of [{}, { email: RECIPIENT.email }, { status: 'approved' }, { document: '1' }]) {
    assert.equal((await listRecipients(db, OURS, filter, FIRST)).items.length, 1);
    assert.deepEqual((await listRecipients(db, THEIRS, filter, FIRST)).items, []);
  }
  assert.equal(await db.transaction(OURS, (tx) => lockNextRecipientNumber(tx, OURS)), 2);
  assert.equal(await db.transaction(THEIRS, (tx) => lockNextRecipientNumber(tx, THEIRS)), 1);
});
