import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

test('an order writes its payment twice: before the call to the acquirer, and with its answer', async () => {
  const shop = await Shop.open(service);
  await shop.cardPayment();
  await shop.pixPayment();
  const rows = await service.rows<{ place: string; method: string }>(
    'select cast(ctid as text) as place, method from payments order by created_at',
  );
  // In a new table each version of a row takes the next place of the page.
  assert.deepEqual(
    rows.map(({ method, place }) => [method, place]),
    [
      ['credit_card', '(0,2)'],
      ['pix', '(0,4)'],
    ],
  );
});
