import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import pg from 'pg';
import { reconcile } from '../support/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/acquirer-records.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { SCENARIOS } from './crash-scenarios.ts';

type Asking = (this: pg.Client & Breakable, ...asked: Asked) => void;
type Asked = [query: { text: string; callback: (error: Error | null, result?: unknown) => void }];

interface Breakable {
  readonly connection: { readonly stream: { destroy(): void } };
  transaction?: string;
}

/**
 * Breaks the connection once, at the commit of a transaction with a statement that matches: before the commit has reached the
 * database, or after the database has committed. The service cannot know which.
 */
async function whileBroken<R>(statement: RegExp, isDone: boolean, work: () => Promise<R>): Promise<R> {
  const real = pg.Client.prototype.query as unknown as Asking;
  let hasBroken = false;
  const query: Asking = function (...asking) {
    const [asked] = asking;
    const { text, callback } = asked;
    this.transaction = text === 'begin' ? '' : `${this.transaction}\n${text}`;
    if (hasBroken || text !== 'commit' || !statement.test(this.transaction)) return real.apply(this, asking);
    hasBroken = true;
    if (!isDone) this.connection.stream.destroy();
    asked.callback = (_, result) => {
      assert.equal(result !== undefined, isDone);
      this.connection.stream.destroy();
      callback(new Error('Connection terminated unexpectedly'));
    };
    real.apply(this, asking);
  };
  const mocked = mock.method(pg.Client.prototype, 'query', query as never);
  const result = await work().finally(() => mocked.mock.restore());
  assert.ok(hasBroken);
  return result;
}

describe('a connection that breaks at a commit', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ jobs: false });
  });
  after(() => service.stop());

  for (const { what, prepare, ...scenario } of SCENARIOS) {
    for (const [of, statement, isDone] of [
      ['its intent, which was done', /insert into payment_operations/, true],
      ['its intent, which was not done', /insert into payment_operations/, false],
      ['its outcome, which was done', /update idempotency_keys/, true],
      ['its outcome, which was not done', /update idempotency_keys/, false],
    ] as const) {
      test(`${what}: of ${of}: the repeated request returns the one result`, async () => {
        const shop = await Shop.open(service);
        const { path, body, code } = await prepare(shop);
        const first = await whileBroken(statement, isDone, () => shop.post(path, body, 'k'));
        const answer = await shop.post(path, body, 'k');
        // A refund can find its intent at once. Its first answer is then the same as that of the repeated request.
        if (first.status !== 503) assert.equal(first.text, answer.text);
        // The service cannot know whether it had sent a stored intent, so it closes the reference at the acquirer.
        const [status, ...events] = of === 'its intent, which was done' ? scenario.undone : scenario.done;
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
