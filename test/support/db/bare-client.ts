import { after, afterEach, beforeEach } from 'node:test';
import { Client } from 'pg';
import type { MerchantScope } from '../../../domain/scope.ts';
import { testDatabase } from '../database.ts';
import { insertBareMerchant } from './bare-rows.ts';

/** A connection to a database of this file, which is dropped after its tests. */
export async function connectedClient(): Promise<Client> {
  const database = await testDatabase();
  const client = new Client(database.url);
  await client.connect();
  after(async () => {
    await client.end();
    await database.drop();
  });
  return client;
}

/** The same with the rows of one merchant, which all tests share. */
export async function clientWithMerchant(): Promise<{ client: Client; scope: MerchantScope }> {
  const client = await connectedClient();
  await insertBareMerchant(client);
  const { rows } = await client.query('select slot, merchant_id from merchants');
  return { client, scope: { slot: rows[0].slot, merchantId: rows[0].merchant_id } };
}

/** The same, but each test runs in a transaction that has a merchant and is rolled back. */
export async function bareClient(): Promise<Client> {
  const client = await connectedClient();
  beforeEach(async () => {
    await client.query('begin');
    await insertBareMerchant(client);
  });
  afterEach(() => client.query('rollback'));
  return client;
}
