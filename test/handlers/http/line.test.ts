import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Line, STRANGERS } from '../../../handlers/http/line.ts';
import { Waits } from '../../../services/waits.ts';

/** A line, and who of it was let to work so far. */
class Counter {
  readonly waits = new Waits();
  readonly #line = new Line(this.waits);
  readonly #ends = new Map<string, () => void>();
  started: string[] = [];

  /** Requests of a merchant, named `a1`, `a2` and so on from `first`. Returns how each gives up. */
  come(merchantId: string, count: number, first = 1): (() => void)[] {
    return Array.from({ length: count }, (_, index) => {
      const name = `${merchantId}${first + index}`;
      return this.#line.stand(merchantId, () => {
        this.started.push(name);
        return new Promise((resolve) => this.#ends.set(name, resolve));
      });
    });
  }

  /** The answers to these have gone out. Returns who was let to work on that. */
  async answer(...names: string[]): Promise<string[]> {
    const before = this.started.length;
    for (const name of names) this.#ends.get(name)!();
    await new Promise(setImmediate);
    return this.started.slice(before);
  }
}

describe('requests in line', () => {
  test('24 of one merchant are worked on at once, and 32 of all', () => {
    const counter = new Counter();
    counter.come('a', 60);
    assert.equal(counter.started.length, 24);
    counter.come('b', 60);
    assert.equal(counter.started.length, 32);
  });

  test('merchants take turns, each one’s requests in their order', async () => {
    const counter = new Counter();
    counter.come('a', 60);
    counter.come('b', 12);
    counter.come('c', 2);
    assert.deepEqual(await counter.answer('a1', 'a2', 'a3'), ['a25', 'b9', 'c1']);
    assert.deepEqual(await counter.answer('a4', 'b1', 'b2'), ['a26', 'b10', 'c2']);
    assert.deepEqual(await counter.answer('b3', 'b4', 'b9'), ['a27', 'b11', 'a28']);
  });

  test('a place is free while a request waits for the acquirer', () => {
    const counter = new Counter();
    counter.come('a', 60);
    void counter.waits.during('a', new Promise(() => {}));
    void counter.waits.during('a', new Promise(() => {}));
    assert.deepEqual(counter.started.slice(24), ['a25', 'a26']);
  });

  test('those whose key is not known yet hold nobody up by what they wait for', () => {
    const counter = new Counter();
    counter.come(STRANGERS, 60);
    assert.equal(counter.started.length, 32);
    for (let turn = 0; turn < 32; turn += 1) void counter.waits.during('new', new Promise(() => {}));
    assert.equal(counter.started.length, 60);
    counter.come('a', 4);
    assert.equal(counter.started.length, 64);
  });

  test('who has hung up is not worked for', async () => {
    const counter = new Counter();
    const giveUps = counter.come('a', 27);
    giveUps[24]!();
    giveUps[26]!();
    assert.deepEqual(await counter.answer('a1', 'a2', 'a3'), ['a26']);
    // Nor does the one that is at work give its place to two.
    giveUps[3]!();
    counter.come('a', 4, 28);
    assert.deepEqual(counter.started.slice(25), ['a28', 'a29']);
  });
});
