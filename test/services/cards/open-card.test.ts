import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteSecurityCode } from '../../../db/cards/card-security-codes.ts';
import { lockUndeletedCard, markCardAuthorized } from '../../../db/cards/cards.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { openCardForAuthorization } from '../../../services/cards/open-card.ts';
import { newCard, newCustomer, postCard } from '../../support/cards/card-calls.ts';
import { VISA } from '../../support/cards/cards.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let customerId: string;
let now = new Date('2026-11-21T17:21:30.000Z');

before(async () => {
  service = await startTestService({ jobs: false, overrides: { wall: () => now } });
  customerId = await newCustomer(service);
});
after(() => service.stop());

const open = (cardId: string) => openCardForAuthorization(service.deps, service.merchant.merchant, cardId);
const takeCode = (cardId: string) =>
  service.deps.db.transaction(service.merchant.merchant, (tx) =>
    deleteSecurityCode(tx, service.merchant.merchant, cardId),
  );

test('a stored card is decrypted with its number and security code, by its id in either case', async () => {
  const { id } = await newCard(service, customerId, VISA);
  const opened = await open(id.toUpperCase());
  assert.equal(opened?.card.id, id);
  assert.deepEqual([opened?.number, opened?.securityCode], [VISA.number, VISA.securityCode]);
});

test('only one authorization gets the security code; later ones get the card without it', async () => {
  const { id } = await newCard(service, customerId, VISA);
  const taken = await Promise.all([takeCode(id), takeCode(id), takeCode(id)]);
  assert.deepEqual(taken.filter(Boolean), [true]);
  assert.equal((await open(id))?.securityCode, null);
});

test('the security code expires after 15 minutes, even before it is deleted', async () => {
  const { id } = await newCard(service, customerId, VISA);
  const stored = now;
  now = new Date(stored.getTime() + 15 * MINUTE_MS - 1);
  assert.equal((await open(id))?.securityCode, VISA.securityCode);
  now = new Date(stored.getTime() + 15 * MINUTE_MS);
  assert.equal((await open(id))?.securityCode, null);
  assert.equal((await open(id))?.number, VISA.number);
});

test('storing a used card again renews its security code', async () => {
  const buyer = await newCustomer(service);
  const { id } = await newCard(service, buyer, VISA);
  await takeCode(id);
  await service.deps.db.transaction(service.merchant.merchant, (tx) =>
    markCardAuthorized(tx, service.merchant.merchant, id, now),
  );
  assert.equal((await postCard(service, buyer, { ...VISA, securityCode: '987' })).status, 200);
  assert.equal((await open(id))?.securityCode, '987');
});

test('a card that is unknown or of another merchant is not decrypted', async () => {
  const { id } = await newCard(service, customerId, VISA);
  const other = await service.newMerchant();
  assert.equal(await openCardForAuthorization(service.deps, other.merchant, id), undefined);
  assert.equal(await open('01a1ff1f-49b8-74d4-b96f-58da6d4a8512'), undefined);
  assert.equal(await open("1' or true"), undefined);
});

async function waitingForLocks(): Promise<number> {
  const [row] = await service.deps.db.anywhere<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.waiting;
}

test('a card that a payment has locked is deleted only after it', async () => {
  const { id } = await newCard(service, customerId, VISA);
  const scope = service.merchant.merchant;
  const order: string[] = [];
  let deletion: Promise<unknown> | undefined;
  await service.deps.db.transaction(scope, async (tx) => {
    assert.equal(await lockUndeletedCard(tx, scope, id), true);
    deletion = service.call('DELETE', `/cards/${id}`).then(() => order.push('deleted'));
    await until('the deletion waits for the payment', async () => (await waitingForLocks()) > 0);
    order.push('paid');
  });
  await deletion;
  assert.deepEqual(order, ['paid', 'deleted']);
  assert.equal(await service.deps.db.transaction(scope, (tx) => lockUndeletedCard(tx, scope, id)), false);
});
