import assert from 'node:assert/strict';
import type { TestService } from '../../support/service.ts';
import type { Shop } from '../../support/shop.ts';
import type { Receiver } from '../../support/webhooks/receiver.ts';
import type { Journal } from './journal.ts';

interface LinkRow {
  readonly hash: string;
  readonly max_payments: number | null;
  readonly paid: number;
  readonly under_way: number;
}

interface LinkPaymentRow {
  readonly hash: string;
  readonly link: string;
  readonly amount: number;
  readonly place: string;
  readonly captured: number;
  readonly status: string;
  readonly history: readonly { readonly status: string }[];
}

const UNDECIDED = ['waiting_payment', 'processing', 'pre_authorized', 'AUTHORIZED'];

/** There is one payment for each 201, and each link has as many places as payments, and no more than its limit. */
export async function assertLinksAgree(
  service: TestService,
  { account }: Shop,
  journal: Journal,
): Promise<void> {
  const links = await service.rows<LinkRow>(
    `select hash, max_payments, payments_count as paid, payments_under_way as under_way from payment_links
      where merchant_id = :account`,
    { account },
  );
  const payments = await service.rows<LinkPaymentRow>(
    `select p.hash, l.hash as link, p.amount_centavos as amount, s.state as place, p.captured_centavos as captured,
            p.status, p.history
       from payments p
       join payment_links l on l.slot = p.slot and l.merchant_id = p.merchant_id and l.id = p.payment_link_id
       left join payment_link_places s on s.slot = p.slot and s.merchant_id = p.merchant_id and s.holder_id = p.id
      where p.merchant_id = :account`,
    { account },
  );
  assertAnswered(journal, account, links, payments);
  for (const payment of payments) assert.equal(payment.place, expectedPlace(payment), payment.hash);
  for (const { hash, max_payments, paid, under_way } of links) {
    const places = payments.filter(({ link }) => link === hash).map(({ place }) => place);
    const countOf = (state: string) => places.filter((place) => place === state).length;
    assert.deepEqual([paid, under_way], [countOf('counted'), countOf('under_way')], hash);
    assert.ok(
      max_payments === null || paid + under_way <= max_payments,
      `${hash} has more payments than places`,
    );
  }
}

function expectedPlace({ captured, status }: LinkPaymentRow): string {
  if (captured > 0) return 'counted';
  return UNDECIDED.includes(status) ? 'under_way' : 'released';
}

function assertAnswered(
  journal: Journal,
  account: string,
  links: readonly LinkRow[],
  payments: readonly LinkPaymentRow[],
): void {
  const made = journal.entries.filter(
    ({ shop, answer }) => shop.account === account && answer?.status === 201,
  );
  const bodies = (path: RegExp) =>
    made.filter((entry) => path.test(entry.path)).map(({ answer }) => answer!.body);
  assert.deepEqual(
    links.map(({ hash }) => hash).sort(),
    bodies(/^\/payment-links$/)
      .map(({ hash }) => hash)
      .sort(),
  );
  const answered = bodies(/^\/checkout\//);
  assert.deepEqual(
    payments.map(({ hash, amount }) => `${hash} ${amount}`).sort(),
    answered.map(({ hash, amount }) => `${hash} ${amount}`).sort(),
  );
  const histories = new Map(payments.map(({ hash, history }) => [hash, history.map(({ status }) => status)]));
  for (const { hash, status } of answered) {
    if (['paid', 'refused'].includes(status))
      assert.ok(histories.get(hash)?.includes(status), `${hash} was never ${status}`);
  }
}

/** Each payment at a link whose money has arrived has one receipt, which was sent, and no other payment has one. */
export async function assertReceipts(service: TestService, { account }: Shop): Promise<void> {
  const receipts = await service.rows<{ id: string; status: string }>(
    'select payment_id as id, status from emails where merchant_id = :account order by payment_id',
    { account },
  );
  const paid = await service.rows<{ id: string }>(
    `select id from payments where merchant_id = :account and payment_link_id is not null and captured_centavos > 0
      order by id`,
    { account },
  );
  assert.deepEqual(
    receipts,
    paid.map(({ id }) => ({ id, status: 'sent' })),
  );
}

/** Each event has arrived at the merchant's receiver, and nothing else has. An event can arrive more than once. */
export async function assertEventsReceived(
  service: TestService,
  { account }: Shop,
  receiver: Receiver,
): Promise<void> {
  const events = await service.rows<{ id: string }>('select id from events where merchant_id = :account', {
    account,
  });
  const arrived = new Set(receiver.arrivals.map(({ body }) => body.id));
  const missing = events.filter(({ id }) => !arrived.has(id));
  assert.deepEqual(missing, [], 'these events have not arrived');
  const known = new Set((await service.rows<{ id: string }>('select id from events')).map(({ id }) => id));
  assert.deepEqual(
    [...arrived].filter((id) => !known.has(String(id))),
    [],
    'these are no events',
  );
}
