import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Line, STRANGERS, type Turn } from '../../../handlers/http/line.ts';
import { Waits } from '../../../services/waits.ts';

/** A line, and who of it was let to work so far. */
class Counter {
  readonly waits = new Waits();
  readonly #line = new Line(this.waits);
  readonly #ends = new Map<string, () => void>();
  readonly #turns = new Map<string, Turn>();
  started: string[] = [];

  /** Requests of a merchant, named `a1`, `a2` and so on from `first`. Returns how each gives up. */
  come(merchantId: string, count: number, first = 1): (() => void)[] {
    return Array.from({ length: count }, (_, index) => {
      const name = `${merchantId}${first + index}`;
      const turn = { merchantId };
      this.#turns.set(name, turn);
      return this.#line.stand(turn, () => {
        this.started.push(name);
        return new Promise((resolve) => this.#ends.set(name, resolve));
      });
    });
  }

  /** Goes on as a merchant; its name is told again when it does. */
  async goOn(name: string, merchantId: string): Promise<void> {
    await this.#line.goOn(this.#turns.get(name)!, merchantId);
    this.started.push(name);
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

  test('who turns out to be a merchant that has its share at work leaves its place to others until its turn', async () => {
    const counter = new Counter();
    counter.come('a', 24);
    counter.come(STRANGERS, 8);
    counter.come('b', 2);
    const before = counter.started.length;
    for (const name of ['1', '2', '3']) void counter.goOn(name, name === '2' ? 'c' : 'a');
    assert.deepEqual(counter.started.slice(before), ['b1', 'b2']);
    assert.deepEqual(await counter.answer('a1', 'b1'), ['2', '1']);
    assert.deepEqual(await counter.answer('1'), ['3']);
    // Each is counted as whom it goes on as: 24 of this one are at work, and 31 of all.
    counter.come('a', 1, 25);
    counter.come('d', 2);
    assert.equal(counter.started.at(-1), 'd1');
  });

  test('who has waited, and finds its place taken, stands in line again', async () => {
    const counter = new Counter();
    counter.come('a', 30);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const n of [1, 2]) void counter.waits.during('a', promise).then(() => counter.goOn(`a${n}`, 'a'));
    assert.equal(counter.started.length, 26);
    resolve();
    await new Promise(setImmediate);
    assert.equal(counter.started.length, 26);
    assert.deepEqual(await counter.answer('a3', 'a4', 'a5'), ['a27', 'a28', 'a29']);
    assert.deepEqual(await counter.answer('a6', 'a7', 'a8'), ['a30', 'a1', 'a2']);
  });

  test('answers that come to one merchant all at once hold up no other merchant', async () => {
    const counter = new Counter();
    counter.come('a', 60);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (let turn = 0; turn < 36; turn += 1) void counter.waits.during('a', promise);
    assert.equal(counter.started.length, 60);
    resolve();
    await new Promise(setImmediate);
    counter.come('a', 1, 61);
    counter.come('b', 12);
    assert.deepEqual(counter.started.slice(60), ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8']);
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
