import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';
import { sql } from './embedded-postgres.ts';

/** A Postgres like an operator's: over TCP, with a role that needs its password. */
export interface PasswordPostgres extends AsyncDisposable {
  /** For its superuser, over the unix socket. */
  readonly adminUrl: string;
  /** `127.0.0.1:port` */
  readonly host: string;
}

/** Starts a cluster in `dataDir` in which `role` needs its password. */
export async function startPasswordPostgres(dataDir: string, role: string): Promise<PasswordPostgres> {
  await using cleanUp = new AsyncDisposableStack();
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  const rules = join(dataDir, 'postgres/data/pg_hba.conf');
  // The first matching line decides.
  await writeFile(rules, `local all ${role} scram-sha-256\n${await readFile(rules, 'utf8')}`);
  await sql(postgres.url, 'select pg_reload_conf()');

  const { host, port } = postgres.connection;
  const door = createServer((socket) => {
    const inside = connect(join(host, `.s.PGSQL.${port}`));
    socket.pipe(inside).pipe(socket);
    for (const end of [socket, inside]) end.on('error', () => {}).on('close', () => socket.destroy());
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  cleanUp.defer(() => new Promise((closed) => door.close(() => closed())));
  const opened = cleanUp.move();
  return {
    adminUrl: postgres.url,
    host: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
