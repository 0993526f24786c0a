import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { migrateSimulator } from '../../gateway/simulator/migrate.ts';
import { startSimulator } from '../../gateway/simulator/start.ts';
import { until } from '../support/until.ts';
import { SECRET } from './support/acquirer.ts';

const LIMIT_MS = 15_000;

describe('a database that accepts connections and never answers', { concurrency: true }, () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
  });
  let databaseUrl: string;
  before(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    databaseUrl = `postgres://127.0.0.1:${(silent.address() as AddressInfo).port}/books`;
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('does not prevent the simulator from stopping', async () => {
    const simulator = await startSimulator({ databaseUrl, secret: SECRET });
    await until('it connects', () => sockets.length > 0);
    const stopped = simulator.stop().then(() => true);
    await until('it has stopped', () => stopped, LIMIT_MS);
  });

  test('does not block the start of the simulator', async () => {
    const migrated = migrateSimulator(databaseUrl).then(
      () => assert.fail('there are no books'),
      (error: Error) => error.message,
    );
    await until('it has failed', async () => /timeout expired/.test(await migrated), LIMIT_MS);
  });
});
