import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { whileCommitBreaks } from '../support/broken-commits.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { SCENARIOS } from './crash-scenarios.ts';

const INTENT = /insert into (payment_operations|dispute_evidence)/;

describe('a connection that breaks at a commit', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ jobs: false });
  });
  after(() => service.stop());

  for (const { what, prepare, ...scenario } of SCENARIOS) {
    for (const [of, statement, isDone] of [
      ['its intent, which was done', INTENT, true],
      ['its intent, which was not done', INTENT, false],
      ['its outcome, which was done', /update idempotency_keys/, true],
      ['its outcome, which was not done', /update idempotency_keys/, false],
    ] as const) {
      test(`${what}: of ${of}: the repeated request returns the one result`, async () => {
        const shop = await Shop.open(service);
        const { path, body, code } = await prepare(shop);
        const sent = () => shop.post(path, body, 'k');
        const { result: first, hasBroken } = await whileCommitBreaks(statement, isDone, sent);
        assert.ok(hasBroken);
        const answer = await shop.post(path, body, 'k');
        // A refund can find its intent at once. Its first answer is then the same as that of the repeated request.
        if (first.status !== 503) assert.equal(first.text, answer.text);
        // The service cannot know whether it had sent a stored intent. It closes the reference of an order, and sends
        // other commands again.
        const { done, undone = done } = scenario;
        const [status, ...events] = of === 'its intent, which was done' ? undone : done;
        const payment = await shop.payment(code);
        assert.equal(payment.status, status, answer.text);
        assert.deepEqual(await shop.eventNames(payment.id), events);
        await assertAcquirerAgrees(service, shop.account);
        const again = await shop.post(path, body, 'k');
        assert.deepEqual([again.status, again.text], [answer.status, answer.text]);
        assert.equal((await shop.get('/payments')).data.length, 1);
        assert.equal(await reconcile(service), 0, 'nothing is left to settle');
      });
    }
  }
});
