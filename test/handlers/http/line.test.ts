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
  test('18 of one merchant are worked on at once, and 24 of all', () => {
    const counter = new Counter();
    counter.come('a', 60);
    assert.equal(counter.started.length, 18);
    counter.come('b', 60);
    assert.equal(counter.started.length, 24);
  });

  test('merchants take turns, each one’s requests in their order', async () => {
    const counter = new Counter();
    counter.come('a', 60);
    counter.come('b', 12);
    counter.come('c', 2);
    assert.deepEqual(await counter.answer('a1', 'a2', 'a3'), ['a19', 'b7', 'c1']);
    assert.deepEqual(await counter.answer('a4', 'b1', 'b2'), ['a20', 'b8', 'c2']);
    assert.deepEqual(await counter.answer('b3', 'b4', 'b7'), ['a21', 'b9', 'a22']);
  });

  test('a place is free while a request waits for the acquirer', () => {
    const counter = new Counter();
    counter.come('a', 60);
    void counter.waits.during('a', new Promise(() => {}));
    void counter.waits.during('a', new Promise(() => {}));
    assert.deepEqual(counter.started.slice(18), ['a19', 'a20']);
  });

  test('those whose key is not known yet hold nobody up by what they wait for', () => {
    const counter = new Counter();
    counter.come(STRANGERS, 44);
    assert.equal(counter.started.length, 24);
    for (let turn = 0; turn < 24; turn += 1) void counter.waits.during('new', new Promise(() => {}));
    assert.equal(counter.started.length, 44);
    counter.come('a', 4);
    assert.equal(counter.started.length, 48);
  });

  test('who turns out to be a merchant that has its share at work leaves its place to others until its turn', async () => {
    const counter = new Counter();
    counter.come('a', 18);
    counter.come(STRANGERS, 6);
    counter.come('b', 2);
    const before = counter.started.length;
    for (const name of ['1', '2', '3']) void counter.goOn(name, name === '2' ? 'c' : 'a');
    assert.deepEqual(counter.started.slice(before), ['b1', 'b2']);
    assert.deepEqual(await counter.answer('a1', 'b1'), ['2', '1']);
    assert.deepEqual(await counter.answer('1'), ['3']);
    // Each is counted as whom it goes on as: 18 of this one are at work, and 23 of all.
    counter.come('a', 1, 19);
    counter.come('d', 2);
    assert.equal(counter.started.at(-1), 'd1');
  });

  test('who has waited, and finds its place taken, stands in line again', async () => {
    const counter = new Counter();
    counter.come('a', 24);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const n of [1, 2]) void counter.waits.during('a', promise).then(() => counter.goOn(`a${n}`, 'a'));
    assert.equal(counter.started.length, 20);
    resolve();
    await new Promise(setImmediate);
    assert.equal(counter.started.length, 20);
    assert.deepEqual(await counter.answer('a3', 'a4', 'a5'), ['a21', 'a22', 'a23']);
    assert.deepEqual(await counter.answer('a6', 'a7', 'a8'), ['a24', 'a1', 'a2']);
  });

  test('answers that come to one merchant all at once hold up no other merchant', async () => {
    const counter = new Counter();
    counter.come('a', 54);
    const { promise, resolve } = Promise.withResolvers<void>();
    for (let turn = 0; turn < 36; turn += 1) void counter.waits.during('a', promise);
    assert.equal(counter.started.length, 54);
    resolve();
    await new Promise(setImmediate);
    counter.come('a', 1, 55);
    counter.come('b', 12);
    assert.deepEqual(counter.started.slice(54), ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']);
  });

  test('who has hung up is not worked for', async () => {
    const counter = new Counter();
    const giveUps = counter.come('a', 21);
    giveUps[18]!();
    giveUps[20]!();
    assert.deepEqual(await counter.answer('a1', 'a2', 'a3'), ['a20']);
    // Nor does the one that is at work give its place to two.
    giveUps[3]!();
    counter.come('a', 4, 22);
    assert.deepEqual(counter.started.slice(19), ['a22', 'a23']);
  });
});
