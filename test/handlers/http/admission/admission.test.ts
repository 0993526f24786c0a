import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { Admission } from '../../../../handlers/http/admission/admission.ts';
import { Overloaded } from '../../../../handlers/http/admission/shedder.ts';
import { ClientGone, type Ticket } from '../../../../handlers/http/admission/ticket.ts';
import { byAddress } from '../../../../handlers/http/admission/tickets.ts';
import { createMetrics } from '../../../../handlers/http/metrics.ts';
import { UpstreamCalls } from '../../../../services/upstream-calls.ts';
import { type Admitted, Requests, SILENT } from '../../../support/http/admission-requests.ts';

describe('a merchant that floods the service', () => {
  const a = { known: 'a' };

  test('gets at most three quarters of the tickets, also after they are released', async () => {
    for (const [limit, most] of [
      [0, 0],
      [1, 1],
      [4, 3],
      [64, 48],
    ] as const) {
      const requests = new Requests(limit);
      const admitted = requests.fill(a);
      assert.equal(admitted.length, most);
      for (const one of admitted) await one.finish();
      assert.equal(requests.fill(a).length, most);
    }
  });

  test('gets 108 of 256 tickets to run or be queued, and three quarters of them for upstream calls', () => {
    assert.equal(new Requests(256).fill(a).length, 108);
    assert.equal(new Requests(256).fill(a, { upstream: true }).length, 192);
  });

  test('leaves, together with a second one, an eighth of the tickets to merchants with few requests', () => {
    const requests = new Requests(256);
    const taken = ['a', 'b'].flatMap((known) => requests.fill({ known }, { upstream: true }));
    assert.equal(taken.length, 256 - 32);
    const small = [...'stuvwxyz'].map((known) => requests.fill({ known }, { upstream: true }).length);
    assert.deepEqual(small, Array(8).fill(4));
    assert.equal(requests.of('a'), false);
  });

  test('is refused beyond its quota even if its key is used for the first time', () => {
    const requests = new Requests(64);
    assert.equal(requests.fill(a).length, 48);
    assert.equal(requests.arrive({ found: 'a' }), false);
    assert.ok(requests.arrive({ found: 'b' }));
  });
});

describe('callers before authentication', () => {
  test('hold at most three quarters of the tickets from one address', () => {
    const requests = new Requests(64);
    assert.equal(requests.fill({}).length, 48);
    assert.ok(requests.arrive({ address: '192.0.2.2' }));
    assert.ok(requests.of('a'));
  });

  test('leave an eighth of the tickets to merchants, from any number of addresses', () => {
    const requests = new Requests(64);
    const addresses = Array.from({ length: 64 }, (_, n) => ({ address: `192.0.2.${n}` }));
    const admitted = addresses.map((arrival) => requests.arrive(arrival)).filter((one) => one !== false);
    assert.equal(admitted.length, 56);
    for (const merchantId of 'abcdefgh') assert.ok(requests.of(merchantId));
  });

  test('leave tickets for a known merchant while their keys are looked up', () => {
    const requests = new Requests(256);
    requests.fill({});
    assert.ok(requests.of('b'));
  });

  test('hold a ticket while the service works, but not while their answer waits to be read', async () => {
    const requests = new Requests(4);
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      writableEnded: true,
      writableLength: 0,
    });
    const admission = new Admission({
      limit: 1,
      upstreamCalls: requests.upstreamCalls,
      metrics: createMetrics(),
      log: SILENT,
    });
    const request = { headers: {}, method: 'GET', socket: { destroy() {} } } as unknown as IncomingMessage;
    const held: boolean[] = [];
    for (const tenant of [byAddress(request), 'a']) {
      let ticket: Ticket;
      admission.admit(request, response as unknown as ServerResponse, tenant, async (given) => {
        ticket = given;
        held.push(ticket.isHeld);
      });
      await new Promise(setImmediate);
      held.push(ticket!.isHeld);
    }
    assert.deepEqual(held, [true, false, true, true]);
  });
});

test('a ticket is held until the work is done, even if the client has disconnected', async () => {
  const requests = new Requests(64);
  const [one] = requests.fill({ known: 'a' });
  one!.leave();
  assert.equal(requests.of('a'), false);
  await one!.finish();
  assert.ok(requests.of('a'));
});

test('a client that disconnects before its request is admitted takes no ticket', () => {
  const requests = new Requests(64);
  for (let count = 0; count < 64; count += 1) requests.arrive({ known: 'a', hasLeft: true });
  assert.equal(requests.fill({ known: 'a' }).length, 48);
});

test('a request leaves the queue when its client disconnects', async () => {
  const requests = new Requests(64);
  const admitted = requests.fill({ known: 'a' });
  const turns = admitted.map(({ ticket }) => ticket.turn());
  await Promise.all(turns.slice(0, 18));
  admitted[18]!.leave();
  await assert.rejects(turns[18]!, ClientGone);
  await admitted[0]!.finish();
  await turns[19];
  admitted[20]!.leave();
  await assert.rejects(turns[20]!, ClientGone);
  // One that runs does not give its place to two.
  admitted[1]!.leave();
  const started: number[] = [];
  turns.slice(21).forEach((turn, index) => void turn.then(() => started.push(21 + index)));
  await admitted[2]!.finish();
  assert.deepEqual(started, [21]);
});

test('a request is not queued if its client has already disconnected', async () => {
  const requests = new Requests(64);
  const one = requests.of('a');
  assert.ok(one);
  one.leave();
  await assert.rejects(one.ticket.turn(), ClientGone);
});

describe('unread bytes of answers', () => {
  const MIB = 1024 * 1024;

  /** Ends requests of a merchant with unread answers of this size. */
  async function leaveUnread(requests: Requests, merchantId: string, sizes: readonly number[]) {
    const left: Admitted[] = [];
    for (const size of sizes) {
      const one = requests.of(merchantId);
      assert.ok(one);
      await one.answer(size);
      left.push(one);
    }
    return left;
  }

  /** Whether a request gets a turn to run. */
  async function runs(requests: Requests, merchantId: string): Promise<boolean> {
    const one = requests.of(merchantId);
    assert.ok(one);
    return one.ticket
      .turn()
      .then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof Overloaded);
          return false;
        },
      )
      .finally(() => one.finish());
  }

  test('are limited to 16 MiB per merchant', async () => {
    const requests = new Requests(256);
    const [first] = await leaveUnread(requests, 'a', [8 * MIB, 8 * MIB - 1]);
    assert.equal(await runs(requests, 'a'), true);
    const [last] = await leaveUnread(requests, 'a', [1]);
    assert.equal(await runs(requests, 'a'), false);
    assert.equal(await runs(requests, 'b'), true);
    last!.leave();
    assert.equal(await runs(requests, 'a'), true);
    first!.leave();
  });

  test('are limited to a third of 32 MiB for each of two merchants', async () => {
    const requests = new Requests(256);
    const third = Math.floor((32 * MIB) / 3);
    for (const merchantId of 'ab') await leaveUnread(requests, merchantId, [third]);
    for (const merchantId of 'ab') assert.equal(await runs(requests, merchantId), true);
    await leaveUnread(requests, 'b', [1]);
    assert.equal(await runs(requests, 'a'), true);
    assert.equal(await runs(requests, 'b'), false);
  });

  test('are limited to 32 MiB in all: merchants with unread answers are then refused', async () => {
    const requests = new Requests(256);
    for (const merchantId of 'abcde') await leaveUnread(requests, merchantId, [5 * MIB]);
    assert.equal(await runs(requests, 'a'), true);
    await leaveUnread(requests, 'f', [7 * MIB]);
    for (const merchantId of 'abcdef') assert.equal(await runs(requests, merchantId), false);
    assert.equal(await runs(requests, 'g'), true);
  });
});

test('a request that fails without an answer is logged and releases its ticket', async () => {
  const errors: object[] = [];
  const log = { ...SILENT, error: (fields: object) => errors.push(fields) };
  const admission = new Admission({
    limit: 1,
    upstreamCalls: new UpstreamCalls(),
    metrics: createMetrics(),
    log,
  });
  const request = { headers: {}, method: 'GET', socket: { destroy() {} } } as unknown as IncomingMessage;
  for (let count = 1; count <= 2; count += 1) {
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      writableEnded: true,
      writableLength: 0,
      destroy() {
        response.destroyed = true;
        response.emit('close');
      },
    });
    const failure = new Error('failed');
    admission.admit(request, response as unknown as ServerResponse, 'a', async () => {
      throw failure;
    });
    await new Promise(setImmediate);
    assert.deepEqual(errors, Array(count).fill({ method: 'GET', err: failure }));
    assert.ok(response.destroyed);
  }
});

test('requests that arrive in one turn of the event loop are admitted in their order', async () => {
  const admission = new Admission({
    limit: 0,
    upstreamCalls: new UpstreamCalls(),
    metrics: createMetrics(),
    log: SILENT,
  });
  let answered = 0;
  const statuses = new Set<number>();
  const response = {
    writeHead: (status: number) => statuses.add(status),
    end: () => {
      answered += 1;
    },
  } as unknown as ServerResponse;
  const request = { headers: {}, method: 'GET', socket: { destroy() {} } } as unknown as IncomingMessage;
  const FLOOD = 10_000;
  let mostUnanswered = 0;
  for (let count = 1; count <= FLOOD; count += 1) {
    admission.admit(request, response, byAddress(request), () => assert.fail('it was admitted'));
    mostUnanswered = Math.max(mostUnanswered, count - answered);
  }
  assert.equal(mostUnanswered, 0);
  await new Promise(setImmediate);
  assert.equal(answered, FLOOD);
  assert.deepEqual([...statuses], [503]);
});
