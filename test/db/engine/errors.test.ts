import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import pg from 'pg';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { DatabaseUnavailable, isUnavailable } from '../../../db/engine/unavailable.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let created: TestDatabase;
let db: Database;
before(async () => {
  created = await testDatabase();
  db = openDatabase({ url: created.url, statementTimeout_ms: 300 });
});
after(async () => {
  await db.close();
  await created.drop();
});

describe('an error of the database', () => {
  it('does not contain the row, which may hold a document or an encrypted card', async () => {
    const broken = db.anywhere(
      `insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
                              encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
       values (:slot, :id, :name, 'M', 'no such status', 'standard', '{5734}', '{pix}', '', '', '{}', now(), now())`,
      { slot: 1, id: '00000000-0000-7000-8000-000000000001', name: 'planted-name' },
    );
    await assert.rejects(broken, (error: Error & { code?: string }) => {
      assert.equal(error.code, '23514');
      assert.doesNotMatch(inspect(error, { depth: 5, showHidden: true }), /planted-name/);
      return true;
    });
  });

  it('is “not available” if a lock is not released in time', async () => {
    const other = new pg.Client({ connectionString: created.url });
    await other.connect();
    await other.query('begin');
    await other.query('lock table merchants in access exclusive mode');
    await assert.rejects(db.anywhere('select 1 from merchants', {}), DatabaseUnavailable);
    await other.end();
  });

  for (const [what, code, expected] of [
    ['a full disk', '53100', true],
    ['a server out of memory', '53200', true],
    ['too many connections', '53300', true],
    ['a standby that only reads', '25006', true],
    ['a transaction that was silent too long', '25P03', true],
    ['a lock that did not come', '55P03', true],
    ['a statement that took too long', '57014', true],
    ['a shutdown', '57P01', true],
    ['a key that exists', '23505', false],
    ['a mistake in the SQL', '42601', false],
  ] as const) {
    it(`${what} (${code}) ${expected ? 'is' : 'is not'} “not available”`, () => {
      assert.equal(isUnavailable(Object.assign(new Error('x'), { code })), expected);
    });
  }
});
