import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBalance } from '../../../db/ledger/balances.ts';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { foldPastBalances } from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;
const today = merchantDay(deps.wall());

/** A row for each of these days, some in two parts. */
async function addBalances({ onboarded: { merchant } }: Shop, days: Readonly<Record<string, number>>) {
  for (const [day, centavos] of Object.entries(days)) {
    for (const part of [0, 7]) {
      await deps.db.execute(
        merchant,
        `insert into ledger_balances (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
         values (:slot, :merchant_id, 'merchant', '00000000-0000-0000-0000-000000000000', :day, :part, :centavos)`,
        { day, part, centavos },
      );
    }
  }
}

const daysOf = async ({ account }: Shop) =>
  (
    await service.rows<{ day: string; centavos: number }>(
      `select available_on as day, balance_centavos as centavos from ledger_balances
        where merchant_id = :account order by 1, part`,
      { account },
    )
  ).map(({ day, centavos }) => [day, centavos]);

test('days before yesterday become one row, again and again, and the balance stays as it is', async () => {
  const shop = await Shop.open(service);
  const scope = shop.onboarded.merchant;
  const [old, older, yesterday] = [-2, -40, -1].map((days) => addDays(today, days)) as [
    string,
    string,
    string,
  ];
  await addBalances(shop, {
    [older]: 5,
    [old]: 20,
    [yesterday]: 100,
    [today]: 1_000,
    [addDays(today, 30)]: 10_000,
  });
  const balance = await readBalance(deps.db, scope, { recipientId: null, today });
  assert.deepEqual(balance, { available_centavos: 2_250, pending_centavos: 20_000 });

  assert.equal(await foldPastBalances(deps), 4);
  const kept = (await daysOf(shop)).slice(1);
  assert.deepEqual((await daysOf(shop))[0], ['0001-01-01', 50]);
  assert.deepEqual(kept, [
    [yesterday, 100],
    [yesterday, 100],
    [today, 1_000],
    [today, 1_000],
    [addDays(today, 30), 10_000],
    [addDays(today, 30), 10_000],
  ]);
  assert.deepEqual(await readBalance(deps.db, scope, { recipientId: null, today }), balance);

  await addBalances(shop, { [old]: -3 });
  assert.equal(await foldPastBalances(deps), 2);
  assert.deepEqual((await daysOf(shop))[0], ['0001-01-01', 44]);
  assert.equal(await foldPastBalances(deps), 0);
});

test('a balance that is being changed is left for the next time, so that no deadlock is possible', async () => {
  const shop = await Shop.open(service);
  const scope = shop.onboarded.merchant;
  const old = addDays(today, -2);
  await addBalances(shop, { [old]: 20 });
  const change = (part: number) =>
    `update ledger_balances set balance_centavos = balance_centavos + 1
      where {scope} and available_on = :old and part = ${part}`;
  await deps.db.transaction(scope, async (tx) => {
    await tx.execute(scope, change(7), { old });
    assert.equal(await foldPastBalances(deps), 1);
    // The row has been folded. A folding that waited for the other row would hold this one.
    assert.equal(await tx.execute(scope, change(0), { old }), 0);
  });
  assert.equal(await foldPastBalances(deps), 1);
  assert.deepEqual(await daysOf(shop), [['0001-01-01', 41]]);
});
