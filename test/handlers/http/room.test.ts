import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { createMetrics } from '../../../handlers/http/metrics.ts';
import { Overloaded, Room } from '../../../handlers/http/room.ts';
import { Waits } from '../../../services/waits.ts';

const SILENT = { info() {}, warn() {}, error() {} };

interface Visit {
  /** The client leaves, and nothing more. */
  hangUp(): void;
  /** The work is done and the answer has gone out. */
  go(): Promise<void>;
}

/** A room, and requests that come and go in it. */
class Requests {
  readonly waits = new Waits();
  readonly #room: Room;

  constructor(most: number) {
    this.#room = new Room(most, this.waits, createMetrics(), SILENT);
  }

  /** One request; false when it is turned away. A stranger's key is nobody's. */
  come(merchantId: string, { isStranger = false, hasLeft = false } = {}): Visit | false {
    const authorization = `Bearer key-of-${merchantId}`.padEnd(60, merchantId);
    const request = { headers: { authorization }, method: 'GET' } as IncomingMessage;
    const response = Object.assign(new EventEmitter(), { destroyed: false, writeHead() {}, end() {} });
    if (this.#room.turnAway(request, response as unknown as ServerResponse)) return false;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const hangUp = () => {
      response.destroyed = true;
      response.emit('close');
    };
    if (hasLeft) hangUp();
    const go = async () => {
      resolve();
      hangUp();
      await new Promise(setImmediate);
    };
    let isIn = true;
    this.#room.enter(request, response as unknown as ServerResponse, async (place) => {
      try {
        if (!isStranger) this.#room.enterShare(place, merchantId, authorization);
      } catch (error) {
        assert.ok(error instanceof Overloaded);
        isIn = false;
        void go();
      }
      await done;
    });
    return isIn && { go, hangUp };
  }

  /** As many as find room, each waiting for the acquirer or not. */
  fill(merchantId: string, { waiting = false, isStranger = false } = {}): Visit[] {
    const inside: Visit[] = [];
    const come = () => this.come(merchantId, { isStranger });
    for (let one = come(); one !== false; one = come()) {
      inside.push(one);
      if (waiting) void this.waits.during(merchantId, new Promise(() => {}));
    }
    return inside;
  }
}

describe('a merchant who takes all that it can get', () => {
  test('gets three quarters of the room, and again when they have left', async () => {
    for (const [room, most] of [
      [0, 0],
      [1, 1],
      [4, 3],
      [64, 48],
    ] as const) {
      const requests = new Requests(room);
      const inside = requests.fill('a');
      assert.equal(inside.length, most);
      for (const one of inside) await one.go();
      assert.equal(requests.fill('a').length, most);
    }
  });

  test('gets 108 places of a large room to work or stand in line, and three quarters of it to wait in', () => {
    assert.equal(new Requests(256).fill('a').length, 108);
    assert.equal(new Requests(256).fill('a', { waiting: true }).length, 192);
  });

  test('leaves, together with another one, an eighth to those who ask for little', async () => {
    const requests = new Requests(256);
    for (const name of ['a', 'b', ...'stuvwxyz']) {
      const first = requests.come(name);
      assert.ok(first);
      await first.go();
    }
    const taken = [...requests.fill('a', { waiting: true }), ...requests.fill('b', { waiting: true })].length;
    assert.equal(taken, 256 - 32);
    const small = [...'stuvwxyz'].map((name) => requests.fill(name, { waiting: true }).length);
    assert.deepEqual(small, Array(8).fill(4));
    assert.equal(requests.come('a'), false);
  });
});

test('a burst of one merchant leaves room for another before it is known who they are', async () => {
  const requests = new Requests(256);
  for (const name of ['a', 'b']) {
    const first = requests.come(name);
    assert.ok(first);
    await first.go();
  }
  requests.fill('a', { isStranger: true });
  assert.ok(requests.come('b'));
});

test('a place is taken until the work is over, also when nobody waits for it any more', async () => {
  const requests = new Requests(64);
  const [one] = requests.fill('a');
  one!.hangUp();
  assert.equal(requests.come('a'), false);
  await one!.go();
  assert.ok(requests.come('a'));
});

test('a client that has left before its request comes in takes no place', () => {
  const requests = new Requests(64);
  for (let count = 0; count < 64; count += 1) requests.come('a', { hasLeft: true });
  assert.equal(requests.fill('a').length, 48);
});

test('keys that are nobody’s fill three quarters of the room at most', async () => {
  const requests = new Requests(64);
  const known = requests.come('a');
  assert.ok(known);
  await known.go();
  assert.equal(requests.fill('x', { isStranger: true }).length, 48);
  assert.ok(requests.come('a'));
});

test('a flood that comes in one turn of the event loop is answered as it comes', async () => {
  const room = new Room(0, new Waits(), createMetrics(), SILENT);
  let answered = 0;
  const statuses = new Set<number>();
  const response = {
    writeHead: (status: number) => statuses.add(status),
    end: () => {
      answered += 1;
    },
  } as unknown as ServerResponse;
  const request = { headers: {}, method: 'GET' } as IncomingMessage;
  const FLOOD = 10_000;
  let mostUnanswered = 0;
  for (let count = 1; count <= FLOOD; count += 1) {
    assert.ok(room.turnAway(request, response));
    mostUnanswered = Math.max(mostUnanswered, count - answered);
  }
  assert.ok(mostUnanswered < 100, `${mostUnanswered} were held`);
  await new Promise(setImmediate);
  assert.equal(answered, FLOOD);
  assert.deepEqual([...statuses], [503]);
});
