import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claimUnreconciledDays, markDayReconciled } from '../../../db/payments/reconciled-days.ts';
import { addDays } from '../../../domain/business-days.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { merchantDay, startOfMerchantDay } from '../../../domain/local-time.ts';
import { measureLateReconciliation } from '../../../jobs/payments/reconcile-days.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { reconcileDays } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const today = merchantDay(new Date());

/** How far ahead of now it is at this hour of the day that is `days` days from today, in São Paulo. */
function aheadTo(days: number, hour: number, minute = 0): number {
  const midnight = startOfMerchantDay(addDays(today, days));
  return midnight.getTime() + (hour * 60 + minute) * MINUTE_MS - Date.now();
}

/** What the job has logged about the files of a merchant. */
function logged(of: TestService, { account }: Shop, message: RegExp) {
  return of.log
    .filter(({ message: text, fields }) => message.test(text) && fields.merchant_id === account)
    .map(({ fields }) => fields);
}

const compared = (shop: Shop, of = service) =>
  logged(of, shop, /^a settlement file was compared/).map(({ day, lines, differences }) => ({
    day,
    lines,
    differences,
  }));

/** The value of a metric's series. */
async function metric(series: string, of = service): Promise<number> {
  const text = await (await fetch(`${of.internalUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.split(' ')[1] ?? 0);
}

describe('the nightly comparison with the settlement file', () => {
  test('compares each day from 6 in the morning of the next day on, also with several workers once', async () => {
    const shop = await Shop.open(service);
    await shop.cardPayment();
    service.setAhead(aheadTo(1, 5, 59));
    await reconcileDays(service.deps);
    assert.deepEqual(compared(shop), [{ day: addDays(today, -1), lines: 0, differences: 0 }]);

    service.setAhead(aheadTo(1, 6));
    await using other = await startTestService({ beside: service, ahead_ms: aheadTo(1, 6), jobs: false });
    await Promise.all([reconcileDays(service.deps), reconcileDays(other.deps), reconcileDays(other.deps)]);
    assert.deepEqual([...compared(shop), ...compared(shop, other)].slice(1), [
      { day: today, lines: 1, differences: 0 },
    ]);
    assert.ok((await metric('centavo_settlement_files_total{result="agreed"}')) > 0);
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  });

  test('is claimed by one worker, and by another only when the first has not finished in time', async () => {
    const { slot, merchantId } = (await Shop.open(service)).onboarded.merchant;
    const wall = new Date();
    const leasedUntil = new Date(wall.getTime() + MINUTE_MS);
    const later = new Date(leasedUntil.getTime() + MINUTE_MS);
    const claimAt = (at: Date, until: Date) =>
      claimUnreconciledDays(service.deps.db, slot, {
        limit: 8,
        only: merchantId,
        except: [],
        until: today,
        wall: at,
        leasedUntil: until,
      });
    const claimed = [{ slot, merchantId, day: today }];
    const simultaneous = await Promise.all([claimAt(wall, leasedUntil), claimAt(wall, leasedUntil)]);
    assert.deepEqual(simultaneous.flat(), claimed);
    assert.deepEqual(await claimAt(wall, leasedUntil), []);
    assert.deepEqual(await claimAt(leasedUntil, later), claimed);
    await service.deps.db.transaction({ slot, merchantId }, (tx) =>
      markDayReconciled(tx, { slot, merchantId }, { day: today, wall }),
    );
    assert.deepEqual(await claimAt(later, later), []);
  });

  test('writes, logs and counts each difference once', async () => {
    service.setAhead(0);
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    await service.rows(
      'update simulator.payments set captured_centavos = 10001, amount_centavos = 10001 where account = :account',
      { account: shop.account },
    );
    service.setAhead(aheadTo(1, 7));
    await reconcileDays(service.deps);
    await reconcileDays(service.deps);
    const [found, ...more] = await discrepanciesOf(service, shop.account);
    assert.deepEqual(
      [found?.reason, found?.source, found?.payment_id],
      ['settlement_amount_mismatch', 'settlement_file', id],
    );
    assert.deepEqual(more, []);
    assert.deepEqual(compared(shop), [{ day: today, lines: 1, differences: 1 }]);
    assert.equal(logged(service, shop, /^discrepancy found$/).length, 1);
    const counted =
      'centavo_discrepancies_total{source="settlement_file",reason="settlement_amount_mismatch"}';
    assert.equal(await metric(counted), 1);
  });

  test('compares the days for which the acquirer had no file later, one after another', async () => {
    const shop = await Shop.open(service);
    service.setAhead(aheadTo(1, 8));
    await reconcileDays(service.deps);
    await using offline = await startTestService({
      beside: service,
      ahead_ms: aheadTo(2, 8),
      jobs: false,
      env: { ACQUIRER_URL: 'http://127.0.0.1:9', ACQUIRER_SECRET: 's'.repeat(32) },
    });
    await reconcileDays(offline.deps);
    assert.deepEqual(
      logged(offline, shop, /^a settlement file is not available$/).map(({ day }) => day),
      [addDays(today, 1)],
    );
    service.setAhead(aheadTo(3, 8));
    await reconcileDays(service.deps);
    assert.deepEqual(
      compared(shop).map(({ day }) => day),
      [today, addDays(today, 1), addDays(today, 2)],
    );
  });

  test('logs an error and counts the merchant when it is more than two days behind', async () => {
    const shop = await Shop.open(service);
    service.setAhead(aheadTo(1, 8));
    await reconcileDays(service.deps);
    await using offline = await startTestService({
      beside: service,
      jobs: false,
      env: { ACQUIRER_URL: 'http://127.0.0.1:9', ACQUIRER_SECRET: 's'.repeat(32) },
    });
    const late = async (days: number) => {
      offline.setAhead(aheadTo(days, 8));
      await reconcileDays(offline.deps);
      await measureLateReconciliation(offline.deps);
      const message = /^the comparison with the settlement files is more than 2 days behind$/;
      const namedDays = logged(offline, shop, message).map(({ day }) => day);
      return [namedDays, (await metric('centavo_settlement_merchants_behind', offline)) > 0];
    };
    assert.deepEqual(await late(3), [[], false]);
    assert.deepEqual(await late(4), [[addDays(today, 1)], true]);

    service.setAhead(aheadTo(4, 9));
    await reconcileDays(service.deps);
    await measureLateReconciliation(offline.deps);
    assert.equal(await metric('centavo_settlement_merchants_behind', offline), 0);
  });
});
