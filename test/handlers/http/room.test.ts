import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { createMetrics } from '../../../handlers/http/metrics.ts';
import { type Leave, Overloaded, Room } from '../../../handlers/http/room.ts';
import { Waits } from '../../../services/waits.ts';

const SILENT = { info() {}, warn() {}, error() {} };

/** A room, and requests that come and go in it. */
class Requests {
  readonly waits = new Waits();
  readonly #room: Room;

  constructor(most: number) {
    this.#room = new Room(most, this.waits, createMetrics(), SILENT);
  }

  /** One request; false when it is turned away. A stranger's key is nobody's. */
  come(merchantId: string, isStranger = false): { go(): void } | false {
    const authorization = `Bearer key-of-${merchantId}`.padEnd(60, merchantId);
    const request = { headers: { authorization }, method: 'GET' } as IncomingMessage;
    const response = Object.assign(new EventEmitter(), { writeHead() {}, end() {} });
    if (this.#room.turnAway(request, response as unknown as ServerResponse)) return false;
    let leave: Leave | undefined;
    this.#room.enter(response as unknown as ServerResponse, () => leave?.());
    const go = () => void response.emit('close');
    try {
      if (!isStranger) leave = this.#room.enterShare(merchantId, authorization);
      return { go };
    } catch (error) {
      assert.ok(error instanceof Overloaded);
      go();
      return false;
    }
  }

  /** As many as find room, each waiting for the acquirer or not. */
  fill(merchantId: string, { waiting = false, isStranger = false } = {}): { go(): void }[] {
    const inside: { go(): void }[] = [];
    for (
      let one = this.come(merchantId, isStranger);
      one !== false;
      one = this.come(merchantId, isStranger)
    ) {
      inside.push(one);
      if (waiting) void this.waits.during(merchantId, new Promise(() => {}));
    }
    return inside;
  }
}

describe('a merchant who takes all that it can get', () => {
  test('gets three quarters of the room, and again when they have left', () => {
    for (const [room, most] of [
      [0, 0],
      [1, 1],
      [4, 3],
      [64, 48],
    ] as const) {
      const requests = new Requests(room);
      const inside = requests.fill('a');
      assert.equal(inside.length, most);
      for (const one of inside) one.go();
      assert.equal(requests.fill('a').length, most);
    }
  });

  test('gets 108 places to work in of a large room, and three quarters of it to wait in', () => {
    assert.equal(new Requests(256).fill('a').length, 108);
    assert.equal(new Requests(256).fill('a', { waiting: true }).length, 192);
  });

  test('leaves, together with another one, an eighth to those who ask for little', () => {
    const requests = new Requests(256);
    for (const name of ['a', 'b', ...'stuvwxyz']) {
      const first = requests.come(name);
      assert.ok(first);
      first.go();
    }
    const taken = [...requests.fill('a', { waiting: true }), ...requests.fill('b', { waiting: true })].length;
    assert.equal(taken, 256 - 32);
    const small = [...'stuvwxyz'].map((name) => requests.fill(name, { waiting: true }).length);
    assert.deepEqual(small, Array(8).fill(4));
    assert.equal(requests.come('a'), false);
  });
});

test('keys that are nobody’s fill three quarters of the room at most', () => {
  const requests = new Requests(64);
  const known = requests.come('a');
  assert.ok(known);
  known.go();
  assert.equal(requests.fill('x', { isStranger: true }).length, 48);
  assert.ok(requests.come('a'));
});
