/** What a checkout page that is loaded again sends after an answer was lost. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import {
  type Answer,
  answering,
  bodiesOf,
  CHANGED,
  INVALID,
  keysOf,
  LOST,
  MANY_REQUESTS,
  MANY_UNPAID,
  OVERLOADED,
  openTab,
  PAID,
  REFUSED,
  REUSED,
  Sender,
  send,
  sendCard,
  TAKEN,
} from '../support/sender.ts';

describe('the sender of a checkout page that is loaded again after an answer was lost', () => {
  beforeEach(() => openTab());
  afterEach(() => mock.restoreAll());

  test('sends what the buyer wants now, with the key of the first payment', async () => {
    const sent = answering(LOST, PAID);
    await send(new Sender('page', 'payments'), 'Bia');
    assert.equal((await send(new Sender('page', 'payments'), 'Ana')).kind, 'made');
    assert.equal(new Set(keysOf(sent)).size, 1);
    assert.deepEqual(bodiesOf(sent), ['{"name":"Bia"}', '{"name":"Ana"}']);
  });

  test('sends what the buyer wants now also after a payment that the server was too busy for', async () => {
    const sent = answering(LOST, OVERLOADED, PAID);
    await send(new Sender('page', 'payments'), 'Bia');
    const sender = new Sender('page', 'payments');
    assert.equal((await sendCard(sender, 'Ana')).kind, 'network');
    assert.equal((await send(sender, 'Caio')).kind, 'made');
    assert.equal(new Set(keysOf(sent)).size, 1);
    assert.deepEqual(bodiesOf(sent), ['{"name":"Bia"}', '{"name":"Ana"}', '{"name":"Caio"}']);
  });

  test('gets to the first payment in the same tab if that was made, and says so in another', async () => {
    for (const isOtherTab of [false, true])
      for (const sendNew of [send, sendCard]) {
        const shared = new Map<string, string>();
        openTab(shared);
        const sent = answering(LOST, REUSED, LOST, PAID);
        await send(new Sender('page', 'payments'), 'Bia');
        if (isOtherTab) openTab(shared);
        const sender = new Sender('page', 'payments');
        const { kind } = await sendNew(sender, 'Ana');
        if (isOtherTab) assert.equal(kind, sendNew === send ? 'sentBefore' : 'sentBeforeCard');
        else {
          assert.equal(kind, 'network');
          assert.equal((await sendNew(sender, 'Ana')).made.hash, 'first');
          assert.equal(new Set(keysOf(sent)).size, 1);
          const names = bodiesOf(sent).map((body) => JSON.parse(body).name);
          assert.deepEqual(names, ['Bia', 'Ana', 'Bia', 'Bia']);
        }
        mock.restoreAll();
      }
  });

  for (const [what, answer] of Object.entries({ REFUSED, TAKEN }))
    test(`sends what the buyer wants now with a new key if the first payment was refused (${what})`, async () => {
      const sent = answering(LOST, REUSED, answer, PAID);
      await send(new Sender('page', 'payments'), 'Bia');
      assert.equal((await send(new Sender('page', 'payments'), 'Ana')).kind, 'made');
      const names = bodiesOf(sent).map((body) => JSON.parse(body).name);
      assert.deepEqual(names, ['Bia', 'Ana', 'Bia', 'Ana']);
      const [first, ...others] = keysOf(sent);
      assert.deepEqual(
        others.map((key) => key === first),
        [true, true, false],
      );
    });

  test('sends only the first payment for a page without a form, if this tab has its body', async () => {
    const shared = new Map<string, string>();
    openTab(shared);
    const sent = answering(LOST, PAID, PAID);
    await send(new Sender('page', 'payments'), 'Bia');
    const tab = sessionStorage;
    openTab(shared);
    assert.equal(await new Sender('page', 'payments').sendEarlier(), null);
    Object.defineProperty(globalThis, 'sessionStorage', { value: tab, configurable: true });
    assert.equal((await new Sender('page', 'payments').sendEarlier()).made.hash, 'first');
    assert.equal(await new Sender('page', 'payments').sendEarlier(), null);
    assert.equal(sent.length, 2);
    assert.equal(new Set(sent).size, 1);
  });

  test('sends the first payment again for a page without a form until its outcome is known', async () => {
    for (const last of [PAID, TAKEN, MANY_UNPAID]) {
      const sent = answering(LOST, LOST, OVERLOADED, MANY_REQUESTS, last);
      await send(new Sender('page', 'payments'), 'Bia');
      const sender = new Sender('page', 'payments');
      const kinds: string[] = [];
      for (let at = 0; at < 4; at += 1) kinds.push((await sender.sendEarlier()).kind);
      assert.deepEqual(kinds.slice(0, 3), ['network', 'network', 'tooMany']);
      assert.equal(await sender.sendEarlier(), null);
      assert.equal(await new Sender('page', 'payments').sendEarlier(), null);
      assert.equal(sent.length, 5);
      assert.equal(new Set(sent).size, 1);
      mock.restoreAll();
    }
  });

  test('warns of a card that was sent after the first payment, and only in a form', async () => {
    const sent = answering(LOST, LOST, REUSED, REUSED);
    await send(new Sender('page', 'payments'), 'Bia');
    await sendCard(new Sender('page', 'payments'), 'Ana');
    assert.equal(await new Sender('page', 'payments').sendEarlier(), null);
    assert.deepEqual(await send(new Sender('page', 'payments'), 'Bi'), { kind: 'sentBeforeCard' });
    const names = bodiesOf(sent).map((body) => JSON.parse(body).name);
    assert.deepEqual(names, ['Bia', 'Ana', 'Bi', 'Bia']);
  });

  test('keeps the first payment while another one is refused before the server looks at the key', async () => {
    for (const isOtherTab of [false, true]) {
      const shared = new Map<string, string>();
      openTab(shared);
      const sent = answering(LOST, INVALID, REUSED, ...(isOtherTab ? [] : [PAID]));
      await send(new Sender('page', 'payments'), 'Bia');
      if (isOtherTab) openTab(shared);
      await send(new Sender('page', 'payments'), 'A');
      const { kind } = await send(new Sender('page', 'payments'), 'Ana');
      assert.equal(kind, isOtherTab ? 'sentBefore' : 'made');
      assert.equal(new Set(keysOf(sent)).size, 1);
      mock.restoreAll();
    }
  });

  const REFUSALS_AFTER_THE_KEY: Readonly<Record<string, Answer>> = {
    'another price': CHANGED,
    'another total': { status: 422, body: { errors: { total_amount: ['Has changed.'] } } },
    'other terms': { status: 422, body: { errors: { terms: ['Have changed.'] } } },
    'a card that is not accepted': { status: 422, body: { errors: { 'encrypted.number': ['Is bad.'] } } },
    'a key that was changed': { status: 400, body: { error: { code: 'invalid_encrypted_card' } } },
    'a subscriber': { status: 422, body: { errors: { customer: ['Has it.'] } } },
    'no place': TAKEN,
  };
  for (const [what, answer] of Object.entries(REFUSALS_AFTER_THE_KEY))
    test(`takes a new key after a refusal that follows the key (${what})`, async () => {
      const sent = answering(LOST, answer, PAID);
      await sendCard(new Sender('page', 'payments'), 'Bia');
      const sender = new Sender('page', 'payments');
      await sendCard(sender, 'Bi');
      assert.equal((await sendCard(sender, 'Bia')).kind, 'made');
      const [first, second, third] = keysOf(sent);
      assert.equal(second, first);
      assert.notEqual(third, first);
    });

  test('warns of a card that another tab sent after this page was opened', async () => {
    const shared = new Map<string, string>();
    openTab(shared);
    const sent = answering(LOST, REUSED, PAID);
    const [one, other] = [new Sender('page', 'payments'), new Sender('page', 'payments')];
    await sendCard(one, 'Bia');
    openTab(shared);
    assert.deepEqual(await sendCard(other, 'Ana'), { kind: 'sentBeforeCard' });
    assert.equal((await sendCard(other, 'Ana')).kind, 'made');
    const [first, second, third] = keysOf(sent);
    assert.equal(second, first);
    assert.notEqual(third, first);
  });

  test('takes a new key after its own payment has an outcome', async () => {
    const sent = answering(LOST, REFUSED, PAID);
    const sender = new Sender('page', 'payments');
    for (const name of ['Bia', 'Bia', 'Ana']) await sendCard(sender, name);
    const [first, second, third] = keysOf(sent);
    assert.equal(second, first);
    assert.notEqual(third, first);
  });

  for (const status of [403, 404])
    test(`keeps a payment whose repetition finds no page (${status})`, async () => {
      const gone = { status, body: { error: { code: 'not_found' } } };
      const sent = answering(LOST, gone, REUSED);
      const sender = new Sender('page', 'payments');
      await sendCard(sender, 'Bia');
      assert.equal((await sendCard(sender, 'Bia')).kind, 'closed');
      assert.deepEqual(await sendCard(new Sender('page', 'payments'), 'Ana'), { kind: 'sentBeforeCard' });
      assert.equal(new Set(keysOf(sent)).size, 1);
    });

  test('keeps no card, also if it is encrypted', async () => {
    const shared = new Map<string, string>();
    openTab(shared);
    answering(LOST);
    await sendCard(new Sender('page', 'payments'), 'Bia');
    assert.equal(sessionStorage.getItem('centavo-sent-page'), null);
    assert.doesNotMatch(String(shared.get('centavo-sent-page')), /Bia/);
  });

  test('says that a card may have been charged, and takes a new key only after that', async () => {
    const sent = answering(LOST, INVALID, INVALID, OVERLOADED, REUSED, PAID);
    await sendCard(new Sender('page', 'payments'), 'Bia');
    let sender = new Sender('page', 'payments');
    // This refusal can come before the server looks at the key.
    for (const name of ['B', 'Bi']) assert.equal((await sendCard(sender, name)).kind, 'fields');
    sender = new Sender('page', 'payments');
    assert.deepEqual(await send(sender, 'Bi'), { kind: 'network' });
    assert.deepEqual(await send(sender, 'Bia'), { kind: 'sentBeforeCard' });
    assert.equal((await send(sender, 'Bia')).kind, 'made');
    const [first, ...others] = keysOf(sent);
    assert.deepEqual(
      others.map((key) => key === first),
      [true, true, true, true, false],
    );
  });

  for (const [what, answer] of Object.entries({ PAID, INVALID, REUSED, OVERLOADED }))
    test(`takes a new key if the answer was known (${what})`, async () => {
      const sent = answering(answer, PAID);
      await send(new Sender('page', 'payments'), 'Bia');
      await send(new Sender('page', 'payments'), 'Bia');
      assert.equal(new Set(keysOf(sent)).size, 2);
    });

  test('takes a new key for another page, and after a day', async () => {
    const sent = answering(LOST, PAID, PAID);
    await send(new Sender('page', 'payments'), 'Bia');
    await send(new Sender('other', 'payments'), 'Bia');
    const later_ms = Date.now() + DAY_MS + 1;
    mock.method(Date, 'now', () => later_ms);
    await send(new Sender('page', 'payments'), 'Bia');
    assert.equal(new Set(keysOf(sent)).size, 3);
  });

  test('keeps the key for a day after the last try, which can be the first that the server has got', async () => {
    const start_ms = Date.now();
    const sent = answering(null, LOST, PAID);
    for (const hours of [0, 20, 30]) {
      mock.method(Date, 'now', () => start_ms + hours * HOUR_MS);
      await send(new Sender('page', 'payments'), 'Bia');
    }
    assert.equal(sent.length, 3);
    assert.equal(new Set(sent).size, 1);
  });
});
