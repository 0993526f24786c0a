import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect, connector } from '../../../db/engine/connect.ts';
import { openDatabase } from '../../../db/engine/database.ts';
import { readDatabaseAddress, readServers } from '../../../db/engine/database-address.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { sql } from '../../support/db/embedded-postgres.ts';

describe('the URL of a database', () => {
  const addresses: readonly (readonly [url: string, urls: readonly string[], mustWrite: boolean])[] = [
    ['postgres://u:p@a:1/db?sslmode=disable', ['postgres://u:p@a:1/db?sslmode=disable'], false],
    ['postgres://u@a/db?target_session_attrs=any', ['postgres://u@a/db?target_session_attrs=any'], false],
    [
      'postgres://u@a/db?target_session_attrs=primary',
      ['postgres://u@a/db?target_session_attrs=primary'],
      true,
    ],
    [
      'postgres://u:p@a:1,b:2/db?target_session_attrs=read-write',
      [
        'postgres://u:p@a:1/db?target_session_attrs=read-write',
        'postgres://u:p@b:2/db?target_session_attrs=read-write',
      ],
      true,
    ],
    [
      'postgresql://u:p%2C@[::1]:1,b,c:3/db',
      ['a', 'b', 'c:3'].map((host) => `postgresql://u:p%2C@${host.replace('a', '[::1]:1')}/db?`),
      true,
    ],
    [
      'postgres:///db?host=a,b&port=1,2',
      ['postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=2'],
      true,
    ],
    [
      'postgres://u@/db?port=5432&host=%2Frun%2Fa,%2Frun%2Fb',
      ['postgres://u@/db?port=5432&host=%2Frun%2Fa', 'postgres://u@/db?port=5432&host=%2Frun%2Fb'],
      true,
    ],
    ['postgres:///db?host=a,b', ['postgres:///db?host=a', 'postgres:///db?host=b'], true],
  ];
  for (const [url, urls, mustWrite] of addresses) {
    test(`is accepted: ${url}`, () => assert.deepEqual(readServers(url), { urls, mustWrite }));
  }

  for (const [url, error] of [
    ['postgres://a,b/db?target_session_attrs=any', /target_session_attrs must be read-write or primary/],
    ['postgres://a/db?target_session_attrs=standby', /target_session_attrs must be read-write or primary/],
    ['postgres:///db?host=a,b,c&port=1,2', /number of ports differs/],
    ['postgres://a,b:x/db', /Invalid URL/],
  ] as const) {
    test(`is refused: ${url}`, () => assert.throws(() => readDatabaseAddress(url), error));
  }

  test('names all of its hosts', () => {
    assert.deepEqual(readDatabaseAddress('postgres://u@a:1,b/db?sslmode=verify-full'), {
      hosts: ['a', 'b'],
      usesTls: true,
      declinesTls: false,
    });
  });
});

describe('a connection to one of several servers', () => {
  let database: TestDatabase;
  let proxies: Server[];
  let mute: Server;
  before(async () => {
    database = await testDatabase();
    const { searchParams, port } = new URL(database.url);
    const path = `${searchParams.get('host')}/.s.PGSQL.${port}`;
    const proxy = () =>
      createServer((near) => {
        const postgres = connectSocket(path);
        near.pipe(postgres).pipe(near);
        for (const end of [near, postgres]) end.on('error', () => {}).on('close', () => near.destroy());
      });
    proxies = [proxy(), proxy()];
    mute = createServer((socket) => socket.on('error', () => {}));
    for (const server of [...proxies, mute]) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    for (const server of [...proxies, mute]) server.close();
    await database.drop();
  });

  const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addressOf = (hosts: readonly string[], name = new URL(database.url).pathname) =>
    `postgres://${new URL(database.url).username}@${hosts.join()}${name}`;
  const REFUSED = '127.0.0.1:1';

  for (const [what, first] of [
    ['refuses', () => REFUSED],
    ['takes the call and never answers', () => hostOf(mute)],
  ] as const) {
    test(`skips a server that ${what}`, async () => {
      const client = await connect(addressOf([first(), hostOf(proxies[0]!)]));
      assert.equal((await client.query('select 1')).rows.length, 1);
      await client.end();
    });
  }

  test('is then made to the server that answered, without trying the other again', async () => {
    const open = connector(addressOf([hostOf(mute), hostOf(proxies[0]!)]));
    await (await open()).end();
    let asked = 0;
    mute.on('connection', () => (asked += 1));
    await (await open()).end();
    assert.equal(asked, 0);
  });

  test('serves statements and transactions', async () => {
    const db = openDatabase({ url: addressOf([REFUSED, hostOf(proxies[0]!)]) });
    assert.deepEqual(await db.anywhere('select 1 as n'), [{ n: 1 }]);
    await db.close();
  });

  test('fails with a retryable error if no server accepts writes', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await sql(database.url, `alter database ${name} set default_transaction_read_only = on`);
    await assert.rejects(connect(addressOf([REFUSED, ...proxies.map(hostOf)])), {
      message: 'No server of the address accepts writes',
      code: '25006',
    });
    const any = await connect(addressOf([hostOf(proxies[0]!)]));
    await any.query(`set default_transaction_read_only = off`);
    await any.query(`alter database ${name} reset default_transaction_read_only`);
    await any.end();
  });

  test('fails with the error of the server if all servers refuse it', async () => {
    await assert.rejects(connect(addressOf([REFUSED, ...proxies.map(hostOf)], '/nowhere')), {
      message: 'database "nowhere" does not exist',
    });
  });

  test('fails with the error of the first server if none can be reached', async () => {
    await assert.rejects(connect(addressOf([REFUSED, '127.0.0.1:2'])), {
      message: /ECONNREFUSED 127\.0\.0\.1:1$/,
    });
  });
});
