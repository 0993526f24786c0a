import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openDatabase } from '../../../db/engine/database.ts';
import { parseInstant } from '../../../db/engine/instants.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let created: TestDatabase;
before(async () => {
  created = await testDatabase();
});
after(() => created.drop());

/**
 * What the service reads for instants, and how Postgres counts their milliseconds, as a server in that zone writes
 * them.
 */
async function readInstants(zone: string, instants: readonly string[]) {
  const url = new URL(created.url);
  url.searchParams.set('options', `-c TimeZone=${zone}`);
  const db = openDatabase({ url: url.href });
  try {
    return await db.anywhere<{ at: Date; ms: string }>(
      `select at, floor(extract(epoch from at) * 1000)::text as ms
         from unnest(cast(:instants as timestamptz[])) with ordinality as given (at, place)
        order by place`,
      { instants },
    );
  } finally {
    await db.close();
  }
}

const EDGES = [
  '2026-11-22T06:12:37Z',
  '2026-11-22T06:12:37.9Z',
  '2026-11-22T06:12:37.12Z',
  '2026-11-22T06:12:37.000001Z',
  '2026-11-22T06:12:37.999999Z',
  '2024-02-29T23:59:59.5Z',
  '1969-12-31T23:59:59.999999Z',
  '1000-01-01T00:00:00Z',
  '0999-12-31T23:59:59.25Z',
  '0044-03-15T12:00:00Z',
  '9999-12-31T23:59:59.999Z',
];

for (const zone of ['UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Europe/London']) {
  test(`an instant is read to the millisecond from a server in the time zone ${zone}`, async () => {
    const micros = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 0, 1) });
    const any = fc
      .tuple(micros, fc.integer({ min: 0, max: 999 }))
      .map(([ms, extra]) => new Date(ms).toISOString().replace('Z', `${String(extra).padStart(3, '0')}Z`));
    const instants = [...EDGES, ...fc.sample(any, 500)];
    const rows = await readInstants(zone, instants);
    assert.equal(rows.length, instants.length);
    rows.forEach(({ at, ms }, index) => {
      assert.equal(String(at.getTime()), ms, instants[index]);
    });
  });
}

test('unusual years and time zones are read, too', () => {
  for (const [text, at] of [
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
    ['1890-05-01 11:58:45.5-00:01:15', '1890-05-01T12:00:00.500Z'],
  ] as const) {
    assert.equal(parseInstant(text).toISOString(), at);
  }
  assert.equal(Number(parseInstant('infinity')), Number.POSITIVE_INFINITY);
  assert.equal(Number(parseInstant('-infinity')), Number.NEGATIVE_INFINITY);
});
