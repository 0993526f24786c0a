/** Who writes the state of a record and the ledger, and how the tables are keyed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { UNSCOPED_TABLES, unscopedKeys } from './support/architecture/keys.ts';
import { unlistedStates } from './support/architecture/machines.ts';
import { projectSources } from './support/architecture/sources.ts';
import {
  idleRunTimeTables,
  ledgerWritesElsewhere,
  lostMachines,
  stateWrites,
} from './support/architecture/state-writes.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';

const planted = (path: string, text: string) => [{ path, text }];

describe('state machines', () => {
  test('the state of each machine is written by its statements, which one service calls', () => {
    assert.deepEqual(stateWrites(projectSources()), []);
  });

  test('each machine has its statement and its service', () => {
    assert.deepEqual(lostMachines(projectSources()), []);
  });

  test('each file that may put the name of a table together does so', () => {
    assert.deepEqual(idleRunTimeTables(projectSources()), []);
  });

  for (const [what, text] of [
    ['an insert like that of a new order', `insert into \${table} (slot, merchant_id, \${columns})`],
    ['an update of all states', `update \${rows.table} d set status = :to from due where {scope:d}`],
    ['an upsert', `insert into \${table} (slot) values (1) on conflict (slot) do update set status = :to`],
  ] as const) {
    test(`${what}, whose table is known at run time only, is reported for every machine`, () => {
      const reported = stateWrites(planted('db/a.ts', text)).filter((line) => line.includes(' payments'));
      assert.equal(reported.length, 1);
    });
  }

  test('an update like that of due rows, whose table is known at run time only, is reported for payments', () => {
    const update = `update \${rows.table} d set due_at = :due_at from due where {scope:d}`;
    assert.match(String(stateWrites(planted('db/a.ts', update))), /writes the state of payments/);
    assert.match(
      String(stateWrites(planted('db/subscriptions/a.ts', 'await postponeDueRows(q, scope, rows, at);'))),
      /calls postponeDueRows: only services\/payments\/run-due-payments.ts/,
    );
  });

  const passing: [string, string][] = [
    [
      'db/payments/due-payments.ts',
      "q.execute(scope, `update payments set status = 'expired' where {scope}`)",
    ],
    [
      'db/orders/a.ts',
      'q.execute(scope, `update payments p\n  set updated_at = :at, status = :to\n  where {scope:p}`)',
    ],
    ['db/a.ts', `update payments set \${assignments} where {scope}`],
    ['db/payments/a.ts', "'update payments set refunding_centavos = :n where {scope} and id = :id'"],
    [
      'db/payments/a.ts',
      "'update payments set captured_centavos=amount_centavos where {scope} and id = :id'",
    ],
    ['db/orders/a.ts', "'update payments set pending_operation = null where {scope} and id = :id'"],
    ['db/payments/payments.ts', '`update payments as p set refunded_centavos = p.refunded_centavos + :n`'],
    [
      'db/payments/a.ts',
      '`with moved as (update refunds set status = :to where {scope} returning id) select 1`',
    ],
    ['db/payments/open-operations.ts', "'update payment_operations set state = :state where {scope}'"],
    [
      'db/cards/cards.ts',
      "`update cards set number_sealed = null, network_token_status = 'none' where {scope}`",
    ],
    ['db/merchants/a.ts', "'update api_keys set status = :to where {scope}'"],
    [
      'db/merchants/a.ts',
      '`insert into merchants (slot) values (:slot) on conflict (slot) do update set status = :to`',
    ],
    [
      'db/webhooks/a.ts',
      '`with a as (select 1) insert into webhook_deliveries (slot, id, status, url) select :slot, a.id, :to, url from a`',
    ],
    [
      'db/payments/discrepancies.ts',
      "`update discrepancies set status = 'closed', note = :note where {scope} and id = :id`",
    ],
    [
      'db/subscriptions/invoices.ts',
      '`insert into subscription_invoices (slot, id) select 1 on conflict (slot) do update set status = excluded.status`',
    ],
    ['services/payments/reconcile-day.ts', 'await moveDiscrepancyRow(tx, merchant, closed);'],
    ['services/webhooks/redeliver.ts', 'await insertFirstResults(q, queue, results);'],
    ['services/webhooks/a.ts', 'await dropDeliveryRows(q, scope, queueId, move);'],
    ['services/subscriptions/a.ts', 'await openInvoice(tx, merchant, invoice);'],
    ['services/payments/apply-report.ts', 'await movePaymentRow(tx, merchant, change);'],
    ['services/orders/a.ts', 'await moveRefundRow(tx, merchant, moved);'],
    ['jobs/a.ts', 'await moveTokenRow(db, scope, moved);'],
  ];
  for (const [path, text] of passing) {
    test(`${path} with ${text.replaceAll(/\s+/g, ' ')} is reported`, () => {
      assert.equal(stateWrites(planted(path, text)).length, 1);
    });
  }

  test('a read, a claim, and an update of other columns are allowed', () => {
    for (const text of [
      "`select id from payments where {scope} and status = 'paid'`",
      "`update payment_operations set check_at = :at where {scope} and state = 'pending'`",
      '`update cards set authorized_at = :at where {scope} and id = :id`',
      '`insert into webhook_deliveries (slot, merchant_id, id) select :slot, :merchant_id, :id`',
      '`update simulator.payments set state = $3 where account = $1`',
    ]) {
      assert.deepEqual(stateWrites(planted('db/a.ts', text)), []);
    }
  });
});

describe('the ledger', () => {
  test('is written by the statement that moves a payment and the job that folds balances', () => {
    assert.deepEqual(ledgerWritesElsewhere(projectSources()), []);
  });

  const passing: [string, string][] = [
    ['db/payments/a.ts', '`insert into ledger_transfers (slot, merchant_id) select 1`'],
    ['db/ledger/post-transfers.ts', '`update ledger_transfers set amount_centavos = 1 where {scope}`'],
    ['db/ledger/balances.ts', '`delete from ledger_transfers where {scope}`'],
    ['db/merchants/a.ts', `delete from \${table} where {scope}`],
    ['services/ledger/a.ts', '`update ledger_balances set balance_centavos = 0 where {scope}`'],
  ];
  for (const [path, text] of passing) {
    test(`${path} with ${text} is caught`, () => {
      assert.equal(ledgerWritesElsewhere(planted(path, text)).length, 1);
    });
  }
});

describe('the catalog of the database', () => {
  let database: TestDatabase;
  let client: Client;
  before(async () => {
    database = await testDatabase();
    client = new Client(database.url);
    client.on('error', () => {});
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  test('keys lead with slot and merchant_id in every table', async () => {
    assert.deepEqual(await unscopedKeys(client), []);
  });

  test('every column with a state belongs to a machine, or has a reason not to', async () => {
    assert.deepEqual(await unlistedStates(client), []);
  });

  for (const [sql, unlisted] of [
    ['create table t (slot smallint, status text)', ['t.status']],
    ['alter table cards add column check_state text', ['cards.check_state']],
    ['alter table recipients drop column status cascade', ['recipients.status does not exist']],
  ] as const) {
    test(`an unlisted state is reported: ${sql}`, async () => {
      await client.query('begin');
      try {
        await client.query(sql);
        assert.deepEqual(await unlistedStates(client), unlisted);
      } finally {
        await client.query('rollback');
      }
    });
  }

  test('every exception is an existing table', async () => {
    const names = Object.keys(UNSCOPED_TABLES);
    const { rowCount } = await client.query(
      "select 1 from pg_tables where schemaname = 'public' and tablename = any($1)",
      [names],
    );
    assert.equal(rowCount, names.length);
  });

  const planted: [string, string, string][] = [
    ['a table without a primary key', 'create table t (slot smallint)', 't has no primary key.'],
    [
      'a primary key of an id alone',
      'create table t (id uuid primary key)',
      'The primary key (id) of t does not lead with (slot, merchant_id).',
    ],
    [
      'a unique constraint in another order',
      'create table t (slot int, merchant_id uuid, a int, primary key (slot, merchant_id), unique (merchant_id, slot))',
      'The unique (merchant_id, slot) of t does not lead with (slot, merchant_id).',
    ],
    [
      'a unique index on an expression',
      `create table t (slot int, merchant_id uuid, a text, primary key (slot, merchant_id));
       create unique index on t (lower(a), slot)`,
      'The unique ((expression), slot) of t does not lead with (slot, merchant_id).',
    ],
    [
      'a foreign key whose columns are crossed',
      `create table r (slot int, merchant_id int, primary key (slot, merchant_id));
       create table t (slot int, merchant_id int, primary key (slot, merchant_id),
                       foreign key (merchant_id, slot) references r (slot, merchant_id))`,
      'The foreign key (merchant_id, slot) of t does not lead with (slot, merchant_id).',
    ],
  ];
  for (const [what, sql, sentence] of planted) {
    test(`a violation is reported: ${what}`, async () => {
      await client.query('begin');
      try {
        await client.query(sql);
        assert.deepEqual(await unscopedKeys(client), [sentence]);
      } finally {
        await client.query('rollback');
      }
    });
  }
});
