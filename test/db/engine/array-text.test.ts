/** Arrays as texts: Postgres reads the values that were written. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { Client } from 'pg';
import { jsonArray, plainArray, textArray, timeArray } from '../../../db/engine/array-text.ts';
import { testDatabase } from '../../support/database.ts';

const database = await testDatabase();
const client = new Client(database.url);
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

const TEXTS = [
  '',
  'null',
  'NULL',
  ' a b ',
  '{a,b}',
  '"',
  '\\',
  'a\\"b',
  '\n\t\u0001',
  'São João 🧾',
  "'",
  '\u2028',
];

async function read(type: string, array: string): Promise<unknown> {
  const { rows } = await client.query(`select cast($1 as ${type}[]) as list`, [array]);
  return rows[0].list;
}

it('of texts and nulls', async () => {
  const values = [...TEXTS, null];
  assert.deepEqual(await read('text', textArray(values)), values);
  assert.deepEqual(await read('text', textArray([])), []);
});

it('of times and nulls', async () => {
  const values = [new Date(0), new Date('2031-05-01T23:59:59.999Z'), new Date('0001-01-01T00:00:00Z'), null];
  assert.deepEqual(await read('timestamptz', timeArray(values)), values);
  assert.throws(() => timeArray([new Date('')]), RangeError);
});

it('of booleans and days', async () => {
  assert.deepEqual(await read('boolean', plainArray([true, null, false])), [true, null, false]);
  assert.deepEqual(await read('text', plainArray(['2031-05-01', null])), ['2031-05-01', null]);
});

it('of numbers and UUIDs', async () => {
  const ids = ['01a1ff90-4a10-7c66-8f3e-51d2a7c40b19', '01a1ff84-1668-76e1-9fac-a5a314f70da6'];
  assert.deepEqual(await read('integer', plainArray([1, -2])), [1, -2]);
  assert.deepEqual(await read('uuid', plainArray(ids)), ids);
});

it('of JSON', async () => {
  const values = [TEXTS, { error: 'a "quoted" \\ word\n', half: '\ud83e' }, null].map((value) =>
    JSON.stringify(value),
  );
  assert.deepEqual(await read('text', jsonArray([...values, null])), [...values, null]);
});
