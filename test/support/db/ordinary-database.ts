import { randomUUID } from 'node:crypto';
import { type TestDatabase, testDatabase } from '../database.ts';
import { sql } from './embedded-postgres.ts';

/**
 * An empty database whose owner is no superuser, as in production, so that Postgres checks its rights. Nothing is
 * migrated.
 */
export async function ordinaryDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  const role = `centavo_test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  await sql(
    database.url,
    `create role ${role} login;
     alter database ${name} owner to ${role};
     drop schema public cascade;
     drop schema if exists simulator cascade;
     create schema public authorization ${role}`,
  );
  url.username = role;
  return {
    url: url.href,
    async drop() {
      await sql(
        database.url,
        `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
      );
      await database.drop();
    },
  };
}
