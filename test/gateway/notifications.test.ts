import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AcquirerNotification } from '../../gateway/acquirer.ts';
import { readNotification } from '../../gateway/notification.ts';
import { sign } from '../../gateway/signature.ts';
import { startSimulator } from '../../gateway/simulator/start.ts';
import { until } from '../support/until.ts';
import {
  Customer,
  later,
  NOON,
  type RunningAcquirer,
  reference,
  SECRET,
  startAcquirer,
} from './support/acquirer.ts';

describe('readNotification', () => {
  const now_ms = NOON.getTime();
  const wire = {
    id: 'n1',
    account: 'a1',
    reference: 'r1',
    type: 'refund.refused',
    method: 'pix',
    occurred_at: NOON.toISOString(),
    refusal: { code: 'processing_error', message: 'Try again.', retryable: true },
    amount_centavos: 500,
    end_to_end_id: null,
  };

  function read(body: string, header: string | undefined = sign('secret', now_ms, body)) {
    return readNotification({ 'acquirer-signature': header }, Buffer.from(body), 'secret', now_ms);
  }

  it('returns every field of a signed body', () => {
    assert.deepEqual(read(JSON.stringify(wire)), {
      id: 'n1',
      account: 'a1',
      reference: 'r1',
      type: 'refund.refused',
      method: 'pix',
      occurredAt: NOON,
      refusal: wire.refusal,
      amount_centavos: 500,
      endToEndId: null,
    } satisfies AcquirerNotification);
  });

  it('returns null for a missing method or amount', () => {
    const { method: _method, amount_centavos: _amount, ...rest } = wire;
    for (const body of [rest, { ...rest, method: null, amount_centavos: null }]) {
      const notification = read(JSON.stringify(body));
      assert.ok(typeof notification !== 'string' && 'method' in notification);
      assert.deepEqual([notification.method, notification.amount_centavos], [null, null]);
    }
  });

  it('returns the ids, the reason and the deadline of a dispute, and leaves out what it cannot read', () => {
    const opened = { ...wire, type: 'chargeback.requested' };
    const dispute = (value: unknown) => {
      const notification = read(JSON.stringify({ ...opened, dispute: value }));
      assert.ok(typeof notification !== 'string' && 'method' in notification);
      return notification.dispute;
    };
    const evidence_due_at = later(1_000).toISOString();
    assert.deepEqual(dispute({ id: 'dp_2', previous_id: 'dp_1', reason: 'duplicate', evidence_due_at }), {
      reference: 'dp_2',
      previousReference: 'dp_1',
      reason: 'duplicate',
      evidenceDueAt: later(1_000),
    });
    for (const unknown of [
      {},
      { reason: '4837', evidence_due_at: null },
      { reason: 5, evidence_due_at: 'x' },
      { id: 'a b', previous_id: '' },
      { id: 'x'.repeat(101), previous_id: 7 },
    ]) {
      const nothing = { reference: null, previousReference: null, reason: 'general', evidenceDueAt: null };
      assert.deepEqual(dispute(unknown), nothing);
    }
    for (const nothing of [null, undefined, 'duplicate']) assert.equal(dispute(nothing), undefined);
  });

  it('refuses a body without a signature, or with that of another body, secret or format', () => {
    const body = JSON.stringify(wire);
    const good = sign('secret', now_ms, body);
    assert.equal(typeof read(body, good), 'object');
    assert.equal(readNotification({}, Buffer.from(body), 'secret', now_ms), 'unsigned');
    const others = [
      sign('other', now_ms, body),
      sign('secret', now_ms, `${body} `),
      `${good}0`,
      good.slice(0, -1),
      '',
    ];
    for (const header of others) assert.equal(read(body, header), 'unsigned', header);
    assert.equal(read(body.replace('500', '900'), good), 'unsigned');
    assert.equal(read(body, good.replace(/t=\d+/, `t=${now_ms - 1}`)), 'unsigned');
    const twice = { 'acquirer-signature': [good, good] };
    assert.equal(readNotification(twice, Buffer.from(body), 'secret', now_ms), 'unsigned');
  });

  it('refuses a signature that is more than five minutes old, or in the future', () => {
    const body = JSON.stringify(wire);
    for (const age_ms of [300_000, -300_000]) {
      assert.equal(typeof read(body, sign('secret', now_ms - age_ms, body)), 'object');
    }
    for (const age_ms of [300_001, -300_001]) {
      assert.equal(read(body, sign('secret', now_ms - age_ms, body)), 'unsigned');
    }
  });

  it('refuses a body of another shape', () => {
    const wrong: object[] = [
      { ...wire, id: 7 },
      { ...wire, id: '' },
      { ...wire, id: 'a\0' },
      { ...wire, reference: '\ud800' },
      { ...wire, end_to_end_id: '\0' },
      { ...wire, account: undefined },
      { ...wire, reference: null },
      { ...wire, type: 'refund.maybe' },
      { ...wire, occurred_at: 'yesterday' },
      { ...wire, occurred_at: 5 },
      { ...wire, refusal: undefined },
      { ...wire, refusal: { code: 'x', message: 'y' } },
      { ...wire, method: 'card' },
      { ...wire, method: '' },
      { ...wire, amount_centavos: -1 },
      { ...wire, amount_centavos: 1.5 },
      { ...wire, amount_centavos: '500' },
      { ...wire, end_to_end_id: 5 },
      [wire],
    ];
    for (const body of wrong) assert.equal(read(JSON.stringify(body)), 'malformed', JSON.stringify(body));
    for (const body of ['', '{', 'null', '5']) assert.equal(read(body), 'malformed', body);
  });
});

describe('notifications', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  it('are signed and have the time of the account', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered(99_990_001);
    await customer.control.runDue(customer.account, later(10_000));
    const [paid] = customer.sink.of(customer.account);
    assert.ok(paid);
    const { id, endToEndId, ...rest } = paid;
    assert.deepEqual(rest, {
      account: customer.account,
      reference: charge,
      type: 'pix.paid',
      method: 'pix',
      occurredAt: later(10_000),
      refusal: null,
      amount_centavos: 99_990_001,
    });
    assert.match(endToEndId ?? '', /^E\d{8}204603101500[0-9A-Za-z]{11}$/);
    assert.match(id, /^[0-9a-f-]{36}$/);
  });

  it('are sent again until they are accepted', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered();
    for (const status of [500, 404, 302]) {
      running.sink.refuse(1, status);
      const before = running.sink.refused;
      const outcome = status === 500 ? 'paid' : status === 404 ? 'chargeback_requested' : 'chargeback_lost';
      await customer.simulate(charge, outcome);
      assert.equal(running.sink.refused, before + 1);
    }
    assert.deepEqual(customer.sink.types(customer.account), [
      'pix.paid',
      'chargeback.requested',
      'chargeback.lost',
    ]);
  });

  it('are sent twice with one id for the magic value, the first before the answer', async () => {
    const customer = new Customer(running);
    const order: string[] = [];
    running.sink.onArrival = (n) => {
      if (n.account === customer.account) order.push(n.type);
    };
    const asked = customer.authorization('4000000000001158');
    await customer.acquirer.perform(asked).then(() => order.push('answered'));
    await until('the second copy', () => order.length === 3);
    running.sink.onArrival = () => {};
    assert.deepEqual(order, ['authorization.approved', 'answered', 'authorization.approved']);
    const [first, second] = customer.sink.of(customer.account);
    assert.deepEqual(first, second);
  });

  it('are stored while the service does not answer, and sent by the next simulator', async (t) => {
    const customer = new Customer(running);
    const { databaseUrl, secret } = { databaseUrl: running.database.url, secret: SECRET };
    const charge = reference();
    await customer.pix(99_990_001, charge);
    await running.books.query(
      `insert into simulator.notifications (account, id, body, next_attempt_at) values ($1, 'left', $2, 'epoch')`,
      [customer.account, wireBody(customer.account)],
    );
    const other = await startSimulator({ databaseUrl, secret });
    t.after(() => other.stop());
    other.notifyAt(running.sink.url);
    await until('it arrives', () => customer.sink.of(customer.account).length === 1);
    assert.equal(customer.sink.of(customer.account)[0]?.id, 'left');
  });

  it('are deleted once they are accepted', async () => {
    const customer = new Customer(running);
    await customer.simulate(await customer.registered(), 'paid');
    const { rows } = await running.books.query(
      'select count(*)::int as n from simulator.notifications where account = $1',
      [customer.account],
    );
    assert.equal(rows[0].n, 0);
  });
});

function wireBody(account: string): string {
  return JSON.stringify({
    id: 'left',
    account,
    reference: 'r1',
    type: 'pix.expired',
    occurred_at: NOON.toISOString(),
    refusal: null,
    amount_centavos: null,
    end_to_end_id: null,
  });
}
