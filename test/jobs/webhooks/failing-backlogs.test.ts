/** Receivers that fail at once and have many pending deliveries delay no other, in their slot or in another one. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import type { OutgoingCall, OutgoingEnd } from '../../../services/webhooks/outgoing.ts';
import { startTestService } from '../../support/service.ts';
import { addEndpoints } from '../../support/webhooks/endpoint-rows.ts';

const DEAD = 100;
const SLOT = 7;
const OTHER_SLOTS = [8, 9, 10, 11];
/** A run sends as many deliveries before it knows that the receiver fails. */
const ATTEMPTS_OF_A_RUN = 4;
/** Contract row 9.4. */
const FIRST_PAUSE_MS = 5_000;

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
after(() => service.stop());

const attempts = { dead: 0, healthy: 0 };
let isDown = true;
const outgoing = {
  ...deps.outgoing,
  begin({ url }: OutgoingCall, ended: OutgoingEnd) {
    const isDead = url.includes('dead') || (isDown && url.includes('restarted'));
    attempts[isDead ? 'dead' : 'healthy'] += 1;
    const failure = { kind: 'failed', code: 'connection_failed', message: 'Refused.' } as const;
    const answer = { kind: 'answer', status: 200, body: Buffer.alloc(0), isCut: false } as const;
    queueMicrotask(() => ended(isDead ? failure : answer));
  },
};
let now_ms = Date.now();
const loop = new DeliveryLoop({ ...deps, outgoing, wall: () => new Date(now_ms) });

async function round() {
  Object.assign(attempts, { dead: 0, healthy: 0 });
  const started = await loop.round();
  await loop.settled();
  return { started, ...attempts };
}

it('each is called a few times in a round, and the others get their deliveries', async () => {
  const dead = { merchants: DEAD / 20, endpoints: 20, pending: 50, due: '2026-01-01T00:00:00Z' };
  const healthy = { merchants: 1, endpoints: 1, due: '2026-01-02T00:00:00Z' };
  await addEndpoints(service, { url: 'https://dead.example', slot: SLOT, ...dead });
  for (const slot of [SLOT, ...OTHER_SLOTS])
    await addEndpoints(service, { url: 'https://healthy.example', slot, ...healthy });

  const others = 1 + OTHER_SLOTS.length;
  assert.deepEqual(await round(), {
    started: DEAD + others,
    dead: DEAD * ATTEMPTS_OF_A_RUN,
    healthy: others,
  });
  await addEndpoints(service, { url: 'https://healthy.example', slot: SLOT, ...healthy });
  assert.deepEqual(await round(), { started: 1, dead: 0, healthy: 1 }, 'those that fail wait');

  now_ms += FIRST_PAUSE_MS - 1;
  assert.equal((await round()).dead, 0);
  now_ms += 1;
  assert.equal((await round()).dead, DEAD * ATTEMPTS_OF_A_RUN, 'and are called again later');
});

it('a receiver that was down for a moment gets the others after 5 seconds, whatever schedule its merchant has', async () => {
  const url = 'https://restarted.example';
  await addEndpoints(service, { url, merchants: 1, endpoints: 1, pending: 50, due: '2026-01-01T00:00:00Z' });
  await service.rows(
    `update merchants set webhook_retries_ms = '{3600000}'
      where merchant_id in (select merchant_id from webhook_endpoints where url = :url)`,
    { url },
  );
  await service.rows(
    "delete from webhook_queues q using webhook_endpoints e where e.id = q.id and e.url like '%dead%'",
  );
  assert.equal((await round()).dead, ATTEMPTS_OF_A_RUN);
  isDown = false;
  now_ms += FIRST_PAUSE_MS - 1;
  assert.equal((await round()).started, 0);
  now_ms += 1;
  assert.equal((await round()).healthy, 50 - ATTEMPTS_OF_A_RUN);
  now_ms += 3_600_000;
  assert.equal((await round()).healthy, ATTEMPTS_OF_A_RUN, 'those that failed follow their schedule');
});
