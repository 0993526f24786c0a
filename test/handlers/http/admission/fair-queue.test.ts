import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairQueue } from '../../../../handlers/http/admission/fair-queue.ts';
import type { Turn } from '../../../../handlers/http/admission/waiting-turns.ts';
import { UpstreamCalls } from '../../../../services/upstream-calls.ts';

/** A queue, and the names of the requests that were started so far. */
class Requests {
  readonly upstreamCalls = new UpstreamCalls();
  readonly queue = new FairQueue(this.upstreamCalls);
  readonly started: string[] = [];
  readonly #turns = new Map<string, Turn>();

  /** Requests of a merchant enter, named `a1`, `a2` and so on from `first`. */
  enter(tenant: string, count: number, first = 1): void {
    for (let n = first; n < first + count; n += 1) {
      const name = `${tenant}${n}`;
      const turn = { tenant, start: () => void this.started.push(name) };
      this.#turns.set(name, turn);
      this.queue.enter(turn);
    }
  }

  /** These are over. Returns which were started on that. */
  end(...names: string[]): string[] {
    const before = this.started.length;
    for (const name of names) this.queue.end(this.#turns.get(name)!);
    return this.started.slice(before);
  }

  cancel(name: string): boolean {
    return this.queue.cancel(this.#turns.get(name)!);
  }
}

describe('the fair queue', () => {
  test('runs at most 18 requests of one merchant at once, and 24 in all', () => {
    const requests = new Requests();
    requests.enter('a', 60);
    assert.equal(requests.started.length, 18);
    requests.enter('b', 60);
    assert.equal(requests.started.length, 24);
    assert.equal(requests.queue.running, 24);
    assert.equal(requests.queue.queued, 96);
  });

  test('alternates between merchants, and keeps the order of each merchant’s requests', () => {
    const requests = new Requests();
    requests.enter('a', 60);
    requests.enter('b', 12);
    requests.enter('c', 2);
    assert.deepEqual(requests.end('a1', 'a2', 'a3'), ['a19', 'b7', 'c1']);
    assert.deepEqual(requests.end('a4', 'b1', 'b2'), ['a20', 'b8', 'c2']);
    assert.deepEqual(requests.end('b3', 'b4', 'b7'), ['a21', 'b9', 'a22']);
  });

  test('runs three quarters of a tenant’s requests for one part of it, and three quarters of those for a part of that', () => {
    const requests = new Requests();
    requests.enter('m / x / 1 ', 60);
    assert.equal(requests.started.length, 10);
    requests.enter('m / x / 2 ', 60);
    assert.equal(requests.started.length, 13);
    requests.enter('m / y / 1 ', 60);
    assert.equal(requests.started.length, 18);
    requests.enter('b', 60);
    assert.equal(requests.started.length, 24);
  });

  test('alternates between tenants, between the parts of each, and keeps no part that is done', () => {
    const requests = new Requests();
    requests.enter('m / x / 1 ', 20);
    requests.enter('m / y / 1 ', 20);
    requests.enter('b', 20);
    assert.equal(requests.started.length, 24);
    requests.enter('m / x / 2 ', 2);
    const over = ['m / x / 1 1', 'm / x / 1 2', 'm / x / 1 3', 'm / x / 1 4', 'm / y / 1 1', 'b1'];
    const next = requests.end(...over);
    assert.deepEqual(next, ['m / x / 1 11', 'b7', 'm / y / 1 9', 'b8', 'm / x / 2 1', 'b9']);
    assert.ok(requests.cancel('m / x / 1 20'));
    for (const name of requests.started) if (!over.includes(name)) requests.end(name);
    assert.deepEqual([requests.queue.running, requests.queue.queued], [0, 0]);
  });

  test('starts another request while one waits for the acquirer', () => {
    const requests = new Requests();
    requests.enter('a', 60);
    void requests.upstreamCalls.track('a', new Promise(() => {}));
    void requests.upstreamCalls.track('a', new Promise(() => {}));
    assert.deepEqual(requests.started.slice(18), ['a19', 'a20']);
  });

  test('starts another request for each merchant that waits for the acquirer', () => {
    const requests = new Requests();
    for (const name of 'abcd') requests.enter(name, 11);
    assert.equal(requests.started.length, 24);
    for (let n = 0; n < 24; n += 1) void requests.upstreamCalls.track('abcd'[n % 4]!, new Promise(() => {}));
    assert.equal(requests.started.length, 44);
    requests.enter('e', 4);
    assert.equal(requests.started.length, 48);
  });

  test('does not count the upstream calls of jobs against merchants', () => {
    const requests = new Requests();
    for (let n = 0; n < 24; n += 1) void requests.upstreamCalls.track('j', new Promise(() => {}));
    requests.enter('a', 60);
    requests.enter('b', 60);
    assert.equal(requests.started.length, 24);
  });

  test('does not delay a merchant when all upstream calls of another end at once', async () => {
    const requests = new Requests();
    requests.enter('a', 54);
    const { promise, resolve } = Promise.withResolvers<void>();
    const calls = Array.from({ length: 36 }, () => requests.upstreamCalls.track('a', promise));
    assert.equal(requests.started.length, 54);
    resolve();
    await Promise.all(calls);
    requests.enter('a', 1, 55);
    requests.enter('b', 12);
    assert.deepEqual(requests.started.slice(54), ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']);
  });

  for (const [who, other] of [
    ['page', 'm / y / 1 '],
    ['address at the page', 'm / x / 2 '],
  ] as const) {
    test(`does not delay another ${who} when all upstream calls of one address at a page end at once`, async () => {
      const requests = new Requests();
      const busy = 'm / x / 1 ';
      requests.enter(busy, 60);
      const { promise, resolve } = Promise.withResolvers<void>();
      const calls = Array.from({ length: 50 }, () => requests.upstreamCalls.track(busy, promise));
      assert.equal(requests.started.length, 60);
      resolve();
      await Promise.all(calls);
      requests.enter(busy, 1, 61);
      requests.enter(other, 2);
      assert.deepEqual(requests.started.slice(60), [`${other}1`, `${other}2`]);
    });
  }

  test('does not start a canceled request, and does not cancel a running one', () => {
    const requests = new Requests();
    requests.enter('a', 21);
    assert.ok(requests.cancel('a19'));
    assert.ok(requests.cancel('a21'));
    assert.equal(requests.cancel('a4'), false);
    assert.deepEqual(requests.end('a1', 'a2', 'a3'), ['a20']);
    requests.enter('a', 4, 22);
    assert.deepEqual(requests.started.slice(19), ['a22', 'a23']);
  });
});
