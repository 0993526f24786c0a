import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { VISA } from '../../support/cards/cards.ts';
import { deleteExpiredSecurityCodes } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let now = new Date('2026-11-21T17:00:00.000Z');

before(async () => {
  service = await startTestService({ jobs: false, overrides: { wall: () => now } });
});
after(() => service.stop());

async function codes(): Promise<string[]> {
  const rows = await service.deps.db.anywhere<{ card_id: string }>('select card_id from card_security_codes');
  return rows.map((row) => row.card_id);
}

test('deletes security codes after 15 minutes, and no others', async () => {
  const customerId = await newCustomer(service);
  await newCard(service, customerId, VISA);
  await newCard(service, customerId, VISA);
  now = new Date('2026-11-21T17:10:00.000Z');
  const fresh = await newCard(service, customerId, VISA);

  now = new Date('2026-11-21T17:14:59.999Z');
  assert.equal(await deleteExpiredSecurityCodes(service.deps), 0);
  now = new Date('2026-11-21T17:15:00.000Z');
  assert.equal(await deleteExpiredSecurityCodes(service.deps), 2);
  assert.deepEqual(await codes(), [fresh.id]);
  assert.equal(await deleteExpiredSecurityCodes(service.deps), 0);
});
