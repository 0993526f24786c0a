import { after, afterEach, beforeEach } from 'node:test';
import { Client } from 'pg';
import { testDatabase } from '../database.ts';
import { insertBareMerchant } from './bare-rows.ts';

/** A connection to a database of this file. Each test runs in a transaction that has a merchant and is rolled back. */
export async function bareClient(): Promise<Client> {
  const database = await testDatabase();
  const client = new Client(database.url);
  await client.connect();
  after(async () => {
    await client.end();
    await database.drop();
  });
  beforeEach(async () => {
    await client.query('begin');
    await insertBareMerchant(client);
  });
  afterEach(() => client.query('rollback'));
  return client;
}
