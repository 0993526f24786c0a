import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Acquirer, RequestNetworkToken, TokenOutcome } from '../../../gateway/acquirer.ts';
import { cardContext } from '../../../services/cards/card-context.ts';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { ELO, MASTERCARD, VISA } from '../../support/cards/cards.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

/** Attempts until a network that does not answer counts as a refusal. */
const MAX_ATTEMPTS = 12;
const APPROVED: TokenOutcome = {
  kind: 'approved',
  acquirerReference: 'a1',
  networkToken: '4895370012003478',
};
const UNKNOWN: TokenOutcome = { kind: 'unknown', cause: 'time_out' };

let service: TestService;
let customerId: string;
let now = new Date('2026-11-21T17:21:30.000Z');
let asked: RequestNetworkToken[] = [];

before(async () => {
  service = await startTestService({ jobs: false, overrides: { wall: () => now } });
  customerId = await newCustomer(service);
});
after(() => service.stop());

/** Each test begins with nothing to ask for, at the same time. */
beforeEach(async () => {
  now = new Date('2030-01-01T00:00:00.000Z');
  await run(APPROVED);
  now = new Date('2026-11-21T17:21:30.000Z');
  asked = [];
});

/** One run of the job against an acquirer that gives this answer, or does this. */
function run(answer: TokenOutcome | (() => Promise<TokenOutcome>)): Promise<number> {
  const perform = async (command: RequestNetworkToken) => {
    asked.push(command);
    return typeof answer === 'function' ? answer() : answer;
  };
  const acquirer = { ...service.deps.acquirer, perform: perform as Acquirer['perform'] };
  return fetchDueTokens({ ...service.deps, acquirer });
}

async function tokenOf(cardId: string): Promise<string> {
  return (await service.call('GET', `/cards/${cardId}`)).body.network_token.status;
}

function later(ms: number): void {
  now = new Date(now.getTime() + ms);
}

test('requests one token for each card of visa and mastercard, and for no other', async () => {
  const visa = await newCard(service, customerId, VISA);
  const mastercard = await newCard(service, customerId, MASTERCARD);
  const elo = await newCard(service, customerId, ELO);

  assert.equal(await run(APPROVED), 2);
  assert.equal(await run(APPROVED), 0);
  assert.deepEqual(asked.map(({ card }) => card.cardId).sort(), [visa.id, mastercard.id].sort());
  const [request] = asked.filter(({ card }) => card.cardId === visa.id);
  assert.equal(request!.account, service.merchant.merchant.merchantId);
  assert.deepEqual(request!.card, {
    number: VISA.number,
    expMonth: VISA.expMonth,
    expYear: VISA.expYear,
    cardId: visa.id,
  });
  assert.match(request!.reference, /^[a-z0-9]{26,35}$/);
  assert.deepEqual(
    [await tokenOf(visa.id), await tokenOf(mastercard.id), await tokenOf(elo.id)],
    ['active', 'active', 'none'],
  );
});

test('stores the token encrypted for its card, with the time of the change', async () => {
  const { id } = await newCard(service, customerId, VISA);
  later(3_000);
  await run(APPROVED);
  const { sealed } = await service.deps.db.one<{ sealed: Buffer }>(
    service.merchant.merchant,
    'select network_token_sealed as sealed from cards where {scope} and id = :id',
    { id },
  );
  const token = await service.deps.vault.open(sealed, cardContext.networkToken(id));
  assert.equal(token.toString(), '4895370012003478');
  const { body } = await service.call('GET', `/cards/${id}`);
  assert.deepEqual([body.created_at, body.updated_at], ['21/11/2026 14:21:30', '21/11/2026 14:21:33']);
});

test('treats a refusal as final', async () => {
  const { id } = await newCard(service, customerId, VISA);
  await run({ kind: 'refused', refusal: {} as never });
  later(24 * 3_600_000);
  assert.equal(await run(APPROVED), 0);
  assert.equal(await tokenOf(id), 'failed');
});

test('retries with the same reference and doubling pauses while the answer is unknown', async () => {
  const { id } = await newCard(service, customerId, VISA);
  for (const pause_ms of [5_000, 10_000, 20_000]) {
    assert.equal(await run(UNKNOWN), 1);
    later(pause_ms - 1);
    assert.equal(await run(UNKNOWN), 0);
    later(1);
  }
  assert.equal(await run({ kind: 'pending', acquirerReference: 'a1' }), 1);
  later(40_000);
  await run(APPROVED);
  assert.equal(await tokenOf(id), 'active');
  assert.equal(asked.length, 5);
  assert.equal(new Set(asked.map(({ reference }) => reference)).size, 1);
});

test('gives up after the last retry', async () => {
  const { id } = await newCard(service, customerId, VISA);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    assert.equal(await tokenOf(id), 'requested');
    assert.equal(await run(UNKNOWN), 1);
    later(3_600_000);
  }
  assert.equal(await tokenOf(id), 'failed');
  assert.equal(await run(APPROVED), 0);
});

test('gives up if the card cannot be decrypted', async () => {
  const { id } = await newCard(service, customerId, VISA);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await run(() => Promise.reject(new Error('its number does not open')));
    assert.equal(await tokenOf(id), 'requested');
    later(60_000);
  }
  await run(APPROVED);
  assert.equal(await tokenOf(id), 'failed');
  assert.equal(asked.length, MAX_ATTEMPTS);
});

test('another process continues after the lease with the same reference if a process is killed', async () => {
  const { id } = await newCard(service, customerId, VISA);
  await run(() => Promise.reject(new Error('died here')));
  assert.equal(await run(APPROVED), 0);
  later(60_000);
  assert.equal(await run(APPROVED), 1);
  assert.equal(asked[0]!.reference, asked[1]!.reference);
  assert.equal(await tokenOf(id), 'active');
});

test('a card that fails does not affect others, and no log contains a card number', async () => {
  const cards = [await newCard(service, customerId, VISA), await newCard(service, customerId, MASTERCARD)];
  const loggedBefore = service.log.length;
  let calls = 0;
  await run(async () => {
    calls += 1;
    if (calls === 1) throw new Error('broken');
    return APPROVED;
  });
  const logged = service.log.slice(loggedBefore);
  assert.deepEqual(
    logged.filter(({ level }) => level === 'error').map(({ message }) => message),
    ['network token not fetched'],
  );
  assert.ok(!JSON.stringify(service.log).includes(VISA.number));
  const statuses = await Promise.all(cards.map(({ id }) => tokenOf(id)));
  assert.deepEqual(statuses.sort(), ['active', 'requested']);
});

test('an answer for a card that has been deleted changes nothing', async () => {
  const { id } = await newCard(service, customerId, VISA);
  await run(async () => {
    await service.call('DELETE', `/cards/${id}`);
    return APPROVED;
  });
  const row = await service.deps.db.one(
    service.merchant.merchant,
    'select network_token_status, network_token_sealed from cards where {scope} and id = :id',
    { id },
  );
  assert.deepEqual(row, { network_token_status: 'none', network_token_sealed: null });
});

test('several workers request one token for each card', async () => {
  for (let i = 0; i < 6; i += 1) await newCard(service, customerId, VISA);
  const counts = await Promise.all([run(APPROVED), run(APPROVED), run(APPROVED)]);
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    6,
  );
  assert.equal(new Set(asked.map(({ card }) => card.cardId)).size, 6);
});
