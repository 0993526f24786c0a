import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiredRows } from '../../../jobs/maintenance/expired-rows.ts';
import { subscriptions } from '../../../jobs/subscriptions/area.ts';
import { WorkLoop } from '../../../jobs/work-loop.ts';
import { HOUR_MS } from '../../support/clock-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { figures, offerOf, previewPlan } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });

test('previews of plan changes are deleted after a day, whatever the clock of their merchant says', async () => {
  const shop = await Shop.open(service);
  const { id } = await subscribed(shop);
  const offer_id = await offerOf(shop, 9_990);
  const preview = async () => (await figures(previewPlan(shop, id, { offer_id }))).preview_id;
  const deleteOld = () =>
    new WorkLoop(service.deps, expiredRows(service.deps, subscriptions.expiringTables!)).runToEnd();
  const stored = async () =>
    (await service.rows<{ id: string }>('select id from plan_previews order by id')).map((row) => row.id);

  const first = await preview();
  await shop.post('/sandbox/clock/advance', { days: 3 });
  await deleteOld();
  assert.deepEqual(await stored(), [first]);
  service.setAhead(23 * HOUR_MS);
  const second = await preview();
  await deleteOld();
  assert.deepEqual(await stored(), [first, second]);
  service.setAhead(25 * HOUR_MS);
  await deleteOld();
  assert.deepEqual(await stored(), [second]);
});
