/** What the form of a checkout page sends when an answer is lost or comes from elsewhere. */
import assert from 'node:assert/strict';
import { afterEach, describe, mock, test } from 'node:test';

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

describe('the sender of a checkout page', () => {
  afterEach(() => mock.restoreAll());

  const send = (sender: typeof Sender, name: string) => sender.send(name, async () => ({ name }));
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
    assert.deepEqual(await sender.send('Bia', () => Promise.reject(new Error())), { kind: 'insecure' });
    assert.deepEqual(sent, []);
  });
});
