/** What the form of a checkout page sends when an answer is lost or comes from elsewhere. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { DAY_MS } from '../../../domain/durations.ts';

const { Sender } = await import(new URL('../../../web/checkout/browser/sender.js', import.meta.url).href);

const PAID = { status: 201, body: { hash: 'first', status: 'paid' } };
const REFUSED = { status: 201, body: { hash: 'first', status: 'refused' } };
const LOST = { status: 502, body: undefined };
const OVERLOADED = { status: 503, body: { error: { code: 'overloaded' } } };
const CHANGED = { status: 422, body: { errors: { amount: ['Has changed.'] } } };

interface Answer {
  readonly status: number;
  readonly body: object | undefined;
}

/** Answers the requests in turn, and returns their keys and bodies. */
function answering(...answers: (Answer | null)[]): string[] {
  const sent: string[] = [];
  mock.method(
    globalThis,
    'fetch',
    async (_url: string, request: { headers: Record<string, string>; body: string }) => {
      sent.push(`${request.headers['Idempotency-Key']} ${request.body}`);
      const answer = answers.shift();
      if (answer === null || answer === undefined) throw new TypeError('The network failed.');
      const text = answer.body === undefined ? 'Bad Gateway' : JSON.stringify(answer.body);
      return new Response(text, { status: answer.status });
    },
  );
  return sent;
}

/** Replaces the storages of the browser by those of a new tab. `shared`: what all its tabs have. */
function openTab(shared = new Map<string, string>()): void {
  for (const [name, items] of [
    ['localStorage', shared],
    ['sessionStorage', new Map<string, string>()],
  ] as const) {
    const storage = {
      getItem: (item: string) => items.get(item) ?? null,
      setItem: (item: string, text: string) => items.set(item, text),
      removeItem: (item: string) => items.delete(item),
    };
    Object.defineProperty(globalThis, name, { value: storage, configurable: true });
  }
}

describe('the sender of a checkout page', () => {
  beforeEach(() => openTab());
  afterEach(() => mock.restoreAll());

  const send = (sender: typeof Sender, name: string) => sender.send(name, false, async () => ({ name }));
  const bodiesOf = (sent: string[]) => sent.map((each) => each.slice(33));

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

  for (const [what, answer] of Object.entries({ 'was refused': REFUSED, 'was not made': CHANGED }))
    test(`sends the other payment if the first one ${what}`, async () => {
      const sent = answering(LOST, answer, PAID);
      const sender = new Sender('page', 'payments');
      await send(sender, 'Bia');
      assert.equal((await send(sender, 'Ana')).kind, 'made');
      assert.deepEqual(bodiesOf(sent), ['{"name":"Bia"}', '{"name":"Bia"}', '{"name":"Ana"}']);
      assert.equal(new Set(sent.map((each) => each.slice(0, 32))).size, 2);
    });

  test('tells apart too many requests, too many cards, and too many payments that are not paid', async () => {
    const limits: [string, string, string][] = [
      ['rate_limited', '60', 'tooMany'],
      ['rate_limited', '3600', 'tooManyCards'],
      ['too_many_unpaid_charges', '60', 'tooManyUnpaid'],
    ];
    for (const [code, wait, kind] of limits) {
      const headers = { 'Retry-After': wait };
      mock.method(globalThis, 'fetch', async () =>
        Response.json({ error: { code } }, { status: 429, headers }),
      );
      assert.deepEqual(await send(new Sender('page', 'payments'), 'Bia'), { kind });
      mock.restoreAll();
    }
  });

  test('reads the other refusals as the form without scripts does', async () => {
    const refusals: [Answer, object][] = [
      [{ status: 422, body: { error: { code: 'idempotency_key_reused' } } }, { kind: 'sentBefore' }],
      [{ status: 400, body: { error: { code: 'invalid_encrypted_card' } } }, { kind: 'sendAgain' }],
      [{ status: 404, body: { message: 'Not found.' } }, { kind: 'closed' }],
      [{ status: 422, body: { errors: { status: ['Is full.'] } } }, { kind: 'closed' }],
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

  describe('of a page that is loaded again after an answer was lost', () => {
    const REUSED = { status: 422, body: { error: { code: 'idempotency_key_reused' } } };
    const keysOf = (sent: string[]) => sent.map((each) => each.slice(0, 32));
    const sendCard = (sender: typeof Sender, name: string) => sender.send(name, true, async () => ({ name }));

    test('sends the same body again in the same tab, and the same key in another', async () => {
      for (const isOtherTab of [false, true]) {
        const shared = new Map<string, string>();
        openTab(shared);
        const sent = answering(LOST, PAID);
        await send(new Sender('page', 'payments'), 'Bia');
        if (isOtherTab) openTab(shared);
        assert.equal((await send(new Sender('page', 'payments'), 'Ana')).kind, 'made');
        assert.equal(new Set(keysOf(sent)).size, 1);
        assert.deepEqual(bodiesOf(sent), [
          '{"name":"Bia"}',
          isOtherTab ? '{"name":"Ana"}' : '{"name":"Bia"}',
        ]);
        mock.restoreAll();
      }
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
      const sent = answering(LOST, CHANGED, CHANGED, OVERLOADED, REUSED, PAID);
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

    for (const [what, answer] of Object.entries({ PAID, CHANGED, REUSED, OVERLOADED }))
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
