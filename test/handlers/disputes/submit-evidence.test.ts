import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advance, advanceBy, DAY_MS } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const open = () => Shop.open(service);
const TEXT = 'Entregue em 24/11/2026.';

async function disputed(shop: Shop): Promise<Json> {
  const { id } = await shop.cardPayment({ amount: 10_000 });
  await shop.simulate(id, 'chargeback_requested');
  return (await shop.get(`/disputes?payment_id=${id}`)).data[0];
}

const submit = (shop: Shop, id: string, text = TEXT, key?: string) =>
  shop.post(`/disputes/${id}/evidence`, { text }, key);

describe('200', () => {
  test('stores the text, contests the dispute and its payment, and emits one event', async () => {
    const shop = await open();
    const { id, payment_id } = await disputed(shop);
    const { status, body, text } = await submit(shop, id);
    assert.equal(status, 200, text);
    assert.equal(body.status, 'dispute');
    assert.deepEqual(
      body.evidence.map((each: Json) => each.text),
      [TEXT],
    );
    assert.deepEqual(await shop.get(`/disputes/${id}`), body);
    assert.equal((await shop.payment(payment_id)).status, 'chargeback_dispute');
    assert.deepEqual((await shop.eventNames(payment_id)).slice(-2), [
      'payment.chargeback_requested',
      'payment.chargeback_dispute',
    ]);
  });

  test('further texts are added in their order and change no status', async () => {
    const shop = await open();
    const { id, payment_id } = await disputed(shop);
    for (const text of ['a', 'b', 'c']) assert.equal((await submit(shop, id, text)).status, 200);
    const { evidence } = await shop.get(`/disputes/${id}`);
    assert.deepEqual(
      evidence.map(({ text }: Json) => text),
      ['a', 'b', 'c'],
    );
    const names = await shop.eventNames(payment_id);
    assert.equal(names.filter((name) => name === 'payment.chargeback_dispute').length, 1);
  });

  test('the acquirer has the evidence: it reports the end of a contested dispute', async () => {
    const shop = await open();
    const { id, payment_id } = await disputed(shop);
    await submit(shop, id);
    const rows = await service.rows<{ chargeback: string }>(
      'select chargeback from simulator.payments where account = :account and reference = :reference',
      { account: shop.account, reference: await shop.reference(payment_id) },
    );
    assert.deepEqual(rows, [{ chargeback: 'dispute' }]);
    await shop.simulate(payment_id, 'chargeback_won');
    const won = await shop.get(`/disputes/${id}`);
    assert.deepEqual([won.status, won.evidence.length], ['won', 1]);
  });

  test('is also the answer if the acquirer has accepted the text and handles it later', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    const pending = service.intercept(() => ({
      dispute_evidence: async () => ({ kind: 'pending', acquirerReference: 'queued' }),
    }));
    try {
      const { status, body, text } = await submit(shop, id);
      assert.equal(status, 200, text);
      assert.deepEqual([body.status, body.evidence.length], ['dispute', 1]);
    } finally {
      pending.undo();
    }
  });

  test('the same request twice sends the text once', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    const first = await submit(shop, id, TEXT, 'evidence-1');
    const again = await submit(shop, id, TEXT, 'evidence-1');
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal((await shop.get(`/disputes/${id}`)).evidence.length, 1);
  });

  test('5,000 characters beyond the basic plane, quotes and line breaks arrive as they were sent', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    for (const text of ['📦'.repeat(5_000), `"a"\n\\b\t${'"'.repeat(4_000)}`]) {
      const { status, body } = await submit(shop, id, text);
      assert.equal(status, 200);
      assert.equal(body.evidence.at(-1).text, text);
    }
  });

  test('until the deadline by the clock of the merchant', async () => {
    const shop = await open();
    const { id, evidence_due_at } = await disputed(shop);
    await advance(shop, { to: new Date(Date.parse(evidence_due_at) - 60_000).toISOString() });
    assert.equal((await submit(shop, id)).status, 200);
  });
});

describe('404 and 422', () => {
  test('an unknown dispute', async () => {
    const { status, body } = await submit(await open(), UNKNOWN_ID);
    assert.deepEqual([status, body], [404, { message: 'Dispute not found.' }]);
  });

  test('a text that is missing, empty, too long, or has a NUL', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    for (const body of [{}, { text: '' }, { text: 'a'.repeat(5_001) }, { text: 'a\0b' }, { text: 1 }]) {
      assertRefused(await shop.post(`/disputes/${id}/evidence`, body), 'text');
    }
    assertRefused(await shop.post(`/disputes/${id}/evidence`, { text: 'a', files: [] }), 'files');
    assert.equal((await shop.get(`/disputes/${id}`)).status, 'requested');
  });

  test('a dispute that is decided', async () => {
    const shop = await open();
    for (const end of ['chargeback_won', 'chargeback_lost'] as const) {
      const { id, payment_id } = await disputed(shop);
      await shop.simulate(payment_id, end);
      const answer = await submit(shop, id);
      assertRefused(answer, 'status');
      assert.deepEqual(answer.body.errors.status, ['The dispute has been decided.']);
    }
  });

  test('after the deadline, by the clock of the merchant', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    await advanceBy(shop, 9 * DAY_MS);
    const answer = await submit(shop, id);
    assertRefused(answer, 'status');
    assert.deepEqual(answer.body.errors.status, ['The time for evidence is over.']);
  });

  test('more than 5 texts', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    for (let i = 0; i < 5; i += 1) assert.equal((await submit(shop, id)).status, 200);
    assertRefused(await submit(shop, id), 'status');
  });

  test('more than 5 texts, also at the same time', async () => {
    const shop = await open();
    const { id } = await disputed(shop);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => submit(shop, id, `${i}`)));
    assert.deepEqual(
      [200, 422].map((status) => answers.filter((answer) => answer.status === status).length),
      [5, 7],
    );
    const { evidence } = await shop.get(`/disputes/${id}`);
    assert.equal(evidence.length, 5);
    const [row] = await service.rows<{ n: number }>(
      "select count(*)::int as n from simulator.operations where account = :account and kind = 'dispute_evidence'",
      { account: shop.account },
    );
    assert.equal(row!.n, 5, 'texts that the acquirer received');
  });

  test('a dispute that the acquirer has decided, before its report arrives', async () => {
    const shop = await open();
    const { id, payment_id } = await disputed(shop);
    await service.rows(
      "update simulator.payments set chargeback = 'lost' where account = :account and reference = :reference",
      { account: shop.account, reference: await shop.reference(payment_id) },
    );
    assertRefused(await submit(shop, id), 'status');
    assert.deepEqual((await shop.get(`/disputes/${id}`)).evidence, []);
  });
});
