import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** As short as items can be: 5 KB of them were answered with 600 KB, and kept the loop for half a second. */
const list = (items: number) => `[${Array(items).fill('{}').join(',')}]`;

const LISTS = [
  { path: '/customers', field: 'documents', most: 10, missing: 'value' },
  { path: '/customers', field: 'addresses', most: 20, missing: 'line_1' },
  { path: '/recipients', field: 'managing_partners', most: 50, missing: 'name' },
  { path: '/charges/orders', field: 'items', most: 100, missing: 'name' },
  { path: '/sandbox/scripts', field: 'outcomes', most: 100, missing: 'operation' },
] as const;

describe('a list', () => {
  for (const { path, field, most, missing } of LISTS) {
    it(`reports only its length if it is too long: ${field}`, async () => {
      const rawBody = `{"${field}":${list(1_450)}}`;
      const { status, body, text } = await service.call('POST', path, { rawBody });
      assert.equal(status, 422);
      assert.ok(text.length < rawBody.length, `the answer has ${text.length} characters`);
      const reported = Object.entries(body.errors).filter(([name]) => name.startsWith(field));
      assert.deepEqual(reported, [[field, [`Must have at most ${most} items.`]]]);
    });

    it(`reports up to 100 violations of its items if it has the maximum length: ${field}`, async () => {
      const { status, body } = await service.call('POST', path, { rawBody: `{"${field}":${list(most)}}` });
      assert.equal(status, 422);
      assert.equal(body.errors[field], undefined);
      const ofItems = Object.keys(body.errors).filter((name) => name.startsWith(`${field}.`));
      const items = new Set(ofItems.map((name) => Number(name.split('.')[1])));
      // From the first item on, each with all that it lacks; the last one listed may be cut off.
      assert.deepEqual(
        [...items],
        Array.from({ length: items.size }, (_, i) => i),
      );
      const listed = Object.values<string[]>(body.errors).flat().length;
      assert.ok(items.size === most ? listed <= 100 : listed === 100, `${listed} are listed`);
      for (let i = 0; i < items.size - 1; i++) {
        assert.deepEqual(body.errors[`${field}.${i}.${missing}`], ['This field is required.']);
      }
    });
  }
});
