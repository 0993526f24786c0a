import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
let card: Json;
let pix: Json;
before(async () => {
  card = await shop.cardPayment({ amount: 10_000, installments: 2 });
  pix = await shop.pixPayment(5_000);
  await shop.simulate(pix.id, 'paid');
  await shop.refund(card.id, 1_001);
  await shop.simulate(pix.id, 'chargeback_requested');
});

const list = async (query = ''): Promise<Json[]> =>
  (await shop.get(`/ledger-entries?per_page=100${query}`)).data;
const shown = (entries: Json[]) =>
  entries.map(({ kind, account, direction, amount }) => [kind, account, direction, amount].join(' '));

describe('200 of listLedgerEntries', () => {
  test('both sides of each transfer, newest first', async () => {
    const entries = await list();
    assert.deepEqual(shown(entries), [
      'dispute disputes credit 5000',
      'dispute merchant debit 5000',
      'refund acquirer_receivable credit 500',
      'refund merchant debit 500',
      'refund acquirer_receivable credit 501',
      'refund merchant debit 501',
      'fee platform_fees credit 50',
      'fee merchant debit 50',
      'capture merchant credit 5000',
      'capture acquirer_receivable debit 5000',
      'fee platform_fees credit 219',
      'fee merchant debit 219',
      'capture merchant credit 5000',
      'capture acquirer_receivable debit 5000',
      'fee platform_fees credit 219',
      'fee merchant debit 219',
      'capture merchant credit 5000',
      'capture acquirer_receivable debit 5000',
    ]);
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
    assert.match(entries[0]!.available_on, /^\d{4}-\d\d-\d\d$/);
  });

  test('the entries of a transaction sum to zero and are of one payment', async () => {
    const sums = new Map<string, number>();
    const payments = new Map<string, Set<string>>();
    for (const { transaction_id, direction, amount, payment_id } of await list()) {
      const change = direction === 'credit' ? amount : -amount;
      sums.set(transaction_id, (sums.get(transaction_id) ?? 0) + change);
      payments.set(transaction_id, (payments.get(transaction_id) ?? new Set()).add(payment_id));
    }
    assert.deepEqual([...sums.values()], [0, 0, 0, 0]);
    assert.deepEqual(
      [...payments.values()].map((ids) => [...ids]),
      [[pix.id], [card.id], [pix.id], [card.id]],
    );
  });

  test('page by page, in pages of any size, with each filter', async () => {
    for (const filter of [
      '',
      '&account=merchant',
      '&account=acquirer_receivable',
      `&payment_id=${card.id}`,
    ]) {
      const all = await list(filter);
      for (const size of [1, 2, 3, 5, 7]) {
        const read: Json[] = [];
        let cursor = '';
        for (;;) {
          const page = await shop.get(`/ledger-entries?per_page=${size}${filter}${cursor}`);
          assert.ok(page.data.length === size || !page.pagination.has_more);
          read.push(...page.data);
          if (!page.pagination.has_more) break;
          cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
        }
        assert.deepEqual(read, all, `${filter} in pages of ${size}`);
      }
    }
  });

  test('filtered by payment, by account, by both, by time', async () => {
    assert.deepEqual(shown(await list('&account=disputes')), ['dispute disputes credit 5000']);
    assert.deepEqual(shown(await list(`&payment_id=${pix.id.toUpperCase()}&account=merchant`)), [
      'dispute merchant debit 5000',
      'fee merchant debit 50',
      'capture merchant credit 5000',
    ]);
    assert.deepEqual(await list('&account=recipient'), []);
    assert.deepEqual(await list(`&payment_id=${UNKNOWN_ID}`), []);
    for (const recipient of ['7', UNKNOWN_ID, 'x'])
      assert.deepEqual(await list(`&recipient_id=${recipient}`), []);
    assert.equal((await list(`&created_from=${pix.created_at}`)).length, 10);
    assert.equal((await list(`&created_to=${card.created_at}`)).length, 0);
  });

  test('filtered by day', async () => {
    const own = await Shop.open(service);
    const days = ['2027-03-09', '2027-03-10', '2027-03-11'];
    const amounts = [1_001, 1_002, 1_003];
    for (const [at, day] of days.entries()) {
      const { status, text } = await own.post('/sandbox/clock/advance', { to: `${day}T23:30:00-03:00` });
      assert.equal(status, 200, text);
      const { id } = await own.pixPayment(amounts[at]);
      await own.simulate(id, 'paid');
    }
    for (const [at, day] of days.entries()) {
      const { data } = await own.get(`/ledger-entries?created_from=${day}&created_to=${day}`);
      const captures = data.filter(({ kind }: Json) => kind === 'capture');
      assert.deepEqual(
        captures.map(({ account, amount }: Json) => [account, amount]),
        ['merchant', 'acquirer_receivable'].map((account) => [account, amounts[at]]),
      );
    }
  });

  test('entries of another merchant are not shown', async () => {
    assert.deepEqual((await (await Shop.open(service)).get('/ledger-entries')).data, []);
  });
});

describe('422', () => {
  for (const [query, path] of [
    ['payment_id=42', 'payment_id'],
    ['account=cash', 'account'],
    ['recipient_id=', 'recipient_id'],
    ['recipient_id=a%20b', 'recipient_id'],
    ['per_page=0', 'per_page'],
    ['cursor=x', 'cursor'],
    ['created_to=yesterday', 'created_to'],
  ] as const) {
    test(query, async () => assertRefused(await shop.call('GET', `/ledger-entries?${query}`), path));
  }
});
