/** What the form of a checkout page sends when an answer is lost or comes from elsewhere. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import {
  type Answer,
  answering,
  bodiesOf,
  INVALID,
  keysOf,
  LOST,
  MANY_CARDS,
  MANY_REQUESTS,
  MANY_UNPAID,
  OVERLOADED,
  openTab,
  PAID,
  REFUSED,
  REUSED,
  Sender,
  send,
  TAKEN,
} from '../support/sender.ts';

describe('the sender of a checkout page', () => {
  beforeEach(() => openTab());
  afterEach(() => mock.restoreAll());

  test('says that nothing was charged only if the request was refused before it began', async () => {
    const answers: [Answer | null, string][] = [
      [OVERLOADED, 'unavailable'],
      [{ status: 503, body: { error: { code: 'service_unavailable' } } }, 'network'],
      [{ status: 500, body: { error: { code: 'internal_error' } } }, 'network'],
      [LOST, 'network'],
      [{ status: 201, body: undefined }, 'network'],
      [null, 'network'],
    ];
    for (const [answer, kind] of answers) {
      const sent = answering(answer, answer, PAID);
      const sender = new Sender('page', 'payments');
      assert.deepEqual(await send(sender, 'Bia'), { kind }, JSON.stringify(answer));
      await send(sender, 'Bia');
      assert.equal((await send(sender, 'Bia')).kind, 'made');
      assert.equal(new Set(sent).size, 1, 'the key stays');
      mock.restoreAll();
    }
  });

  test('a refusal of the second try says nothing about the first, whose answer was lost', async () => {
    answering(LOST, OVERLOADED);
    const sender = new Sender('page', 'payments');
    await send(sender, 'Bia');
    assert.deepEqual(await send(sender, 'Bia'), { kind: 'network' });
  });

  test('sends a payment again whose answer was lost before it sends another one', async () => {
    const sent = answering(LOST, OVERLOADED, PAID, PAID);
    const sender = new Sender('page', 'payments');
    await send(sender, 'Bia');
    assert.deepEqual(await send(sender, 'Ana'), { kind: 'network' });
    assert.equal((await send(sender, 'Ana')).made.hash, 'first');
    assert.deepEqual(bodiesOf(sent), Array(3).fill('{"name":"Bia"}'));
    assert.equal(new Set(sent).size, 1);
  });

  for (const [what, answer] of Object.entries({ 'was refused': REFUSED, 'was not made': INVALID }))
    test(`sends the other payment if the first one ${what}`, async () => {
      const sent = answering(LOST, answer, PAID);
      const sender = new Sender('page', 'payments');
      await send(sender, 'Bia');
      assert.equal((await send(sender, 'Ana')).kind, 'made');
      assert.deepEqual(bodiesOf(sent), ['{"name":"Bia"}', '{"name":"Bia"}', '{"name":"Ana"}']);
      assert.equal(new Set(keysOf(sent)).size, 2);
    });

  test('tells apart too many requests, too many cards, and too many payments that are not paid', async () => {
    const limits: [Answer, string][] = [
      [MANY_REQUESTS, 'tooMany'],
      [MANY_CARDS, 'tooManyCards'],
      [MANY_UNPAID, 'tooManyUnpaid'],
    ];
    for (const [answer, kind] of limits) {
      answering(answer);
      assert.deepEqual(await send(new Sender('page', 'payments'), 'Bia'), { kind });
      mock.restoreAll();
    }
  });

  for (const [what, answer] of Object.entries({ MANY_UNPAID, MANY_CARDS }))
    test(`takes another payment after a limit that follows the key (${what})`, async () => {
      for (const isReload of [false, true]) {
        const sent = answering(LOST, answer, answer, PAID);
        let sender = new Sender('page', 'payments');
        await send(sender, 'Bia');
        if (isReload) sender = new Sender('page', 'payments');
        for (let tries = 0; tries < 2; tries += 1)
          assert.match((await send(sender, 'Bia')).kind, /^tooMany./);
        assert.equal((await send(sender, 'Ana')).kind, 'made');
        assert.deepEqual(bodiesOf(sent), [...Array(3).fill('{"name":"Bia"}'), '{"name":"Ana"}']);
        const [first, second, third, other] = keysOf(sent);
        assert.deepEqual([second, third], [first, first], 'the same payment keeps its key');
        assert.notEqual(other, first);
        mock.restoreAll();
      }
    });

  test('sends the first payment again after too many requests, which are refused before the key', async () => {
    const sent = answering(LOST, MANY_REQUESTS, PAID);
    const sender = new Sender('page', 'payments');
    await send(sender, 'Bia');
    assert.deepEqual(await send(sender, 'Bia'), { kind: 'tooMany' });
    assert.equal((await send(sender, 'Ana')).kind, 'made');
    assert.deepEqual(bodiesOf(sent), Array(3).fill('{"name":"Bia"}'));
  });

  test('reads the other refusals as the form without scripts does', async () => {
    const refusals: [Answer, object][] = [
      [REUSED, { kind: 'sentBefore' }],
      [{ status: 400, body: { error: { code: 'invalid_encrypted_card' } } }, { kind: 'sendAgain' }],
      [{ status: 404, body: { message: 'Not found.' } }, { kind: 'closed' }],
      [TAKEN, { kind: 'closed', fields: ['status'] }],
      [{ status: 422, body: { errors: { customer: ['Has it.'] } } }, { kind: 'subscribed' }],
      [
        {
          status: 422,
          body: { errors: { 'encrypted.expYear': ['Is past.'], 'customer.email': ['Is bad.'] } },
        },
        { kind: 'fields', fields: ['card-expiry', 'email'] },
      ],
    ];
    for (const [answer, outcome] of refusals) {
      answering(answer);
      assert.deepEqual(await send(new Sender('page', 'payments'), 'Bia'), outcome);
      mock.restoreAll();
    }
  });

  test('sends nothing if the card cannot be encrypted', async () => {
    const sent = answering(PAID);
    const sender = new Sender('page', 'payments');
    assert.deepEqual(await sender.send('Bia', true, () => Promise.reject(new Error())), { kind: 'insecure' });
    assert.deepEqual(sent, []);
  });

  test('waits a minute for an answer, whose outcome is then not known', async () => {
    const time = new AbortController();
    const waits_ms: number[] = [];
    mock.method(AbortSignal, 'timeout', (ms: number) => {
      waits_ms.push(ms);
      return time.signal;
    });
    mock.method(globalThis, 'fetch', async (_url: string, { signal }: { signal: AbortSignal }) => {
      const silent = Promise.withResolvers<Response>();
      signal.addEventListener('abort', () => silent.reject(signal.reason));
      return silent.promise;
    });
    const outcome = send(new Sender('page', 'payments'), 'Bia');
    setImmediate(() => time.abort());
    assert.deepEqual(await outcome, { kind: 'network' });
    assert.deepEqual(waits_ms, [60_000]);
  });
});
