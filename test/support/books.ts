import assert from 'node:assert/strict';
import type { PaymentStatus } from '../../domain/payments/payment.ts';
import { mayMove, PAYMENT_MOVES, type PaymentMove } from '../../domain/payments/payment-transitions.ts';
import type { MoneyService } from './money-service.ts';

interface OurPayment {
  id: string;
  reference: string;
  status: PaymentStatus;
  refusal_code: string | null;
  captured_centavos: number;
  refunded_centavos: number;
  refunding_centavos: number;
  history: { status: PaymentStatus }[];
}

interface TheirPayment {
  reference: string;
  state: string;
  captured_centavos: number;
  refunded_centavos: number;
}

interface Told {
  payment_id: string;
  event: string;
  data: { status: PaymentStatus };
}

interface Called {
  reference: string;
  kind: string;
  state: string;
  payment_id: string;
}

interface Seen {
  reference: string;
  kind: string;
  status: string;
  outcome: { status: string } | null;
}

/** What the acquirer's books may say of a payment of ours that rests in a status. */
const THEIRS: Readonly<Record<PaymentStatus, readonly (string | undefined)[]>> = {
  scheduled: [undefined],
  processing: [undefined, 'pending', 'open', 'authorized', 'captured', 'voided', 'refused'],
  waiting_payment: ['open'],
  pre_authorized: ['authorized'],
  AUTHORIZED: [],
  paid: ['captured'],
  refused: [undefined, 'refused'],
  // Where ours expires first, the acquirer may still refuse the charge: no money either way.
  expired: ['expired', 'open', 'refused'],
  canceled: ['voided'],
  refund_in_progress: ['captured'],
  partially_refunded: ['captured'],
  refunded: ['captured'],
  chargeback_requested: ['captured'],
  chargeback_dispute: ['captured'],
  chargeback_lost: ['captured'],
};

/**
 * Holds everything that we wrote of a merchant's payments against itself and against the acquirer's books, to the
 * centavo: amounts, operations, refunds, and that events and history are one way through the transition table.
 */
export async function assertBooksAgree(service: MoneyService, account: string): Promise<void> {
  const rows = <Row>(sql: string) => service.rows<Row>(sql, { account });
  const payments = await rows<OurPayment>('select * from payments where merchant_id = :account');
  const theirs = byReference(
    await rows<TheirPayment>('select * from simulator.payments where account = :account'),
  );
  const called = await rows<Called>('select * from payment_operations where merchant_id = :account');
  const told = await rows<Told>('select * from events where merchant_id = :account order by created_at, id');
  for (const payment of payments) {
    assertAmounts(payment, theirs.get(payment.reference));
    const open = called.filter((call) => call.payment_id === payment.id && call.state === 'pending');
    if (payment.status === 'processing') assert.ok(open.length > 0, 'nothing will ever settle this payment');
    assertToldWell(
      payment,
      told.filter((event) => event.payment_id === payment.id),
    );
    theirs.delete(payment.reference);
  }
  assert.deepEqual([...theirs.keys()], [], 'the acquirer has payments that we never asked for');
  await assertOperations(rows, payments, called);
  await assertResults(rows);
  await assertRefunds(rows);
}

type Rows = <Row>(sql: string) => Promise<Row[]>;

function assertAmounts(ours: OurPayment, theirs: TheirPayment | undefined): void {
  const what = `${ours.status} here, ${theirs?.state ?? 'nothing'} there`;
  assert.ok(THEIRS[ours.status].includes(theirs?.state), what);
  if (ours.status === 'processing') return;
  assert.equal(ours.captured_centavos, theirs?.captured_centavos ?? 0, what);
  assert.equal(ours.refunded_centavos + ours.refunding_centavos, theirs?.refunded_centavos ?? 0, what);
}

/** Each call is known to both sides under one reference, and came to the same. */
async function assertOperations(rows: Rows, payments: OurPayment[], called: Called[]): Promise<void> {
  const seen = byReference(
    await rows<Seen>(
      "select * from simulator.operations where account = :account and kind not in ('network_token')",
    ),
  );
  const suspects = new Set(payments.filter((p) => p.refusal_code === 'fraud').map((p) => p.id));
  for (const { reference, kind, state, payment_id } of called) {
    const there = seen.get(reference);
    seen.delete(reference);
    if (state === 'pending' || (kind === 'authorize' && suspects.has(payment_id))) continue;
    assert.equal(there?.outcome?.status ?? 'refused', state, `${kind}: ${state} here`);
  }
  assert.deepEqual([...seen.keys()], [], 'the acquirer has calls that we do not know of');
}

/** What is settled has its result, which holds it as it is; what is open has none. */
async function assertResults(rows: Rows): Promise<void> {
  const off = await rows(
    `select o.id from payment_operations o left join payment_operation_results r
         on r.slot = o.slot and r.merchant_id = o.merchant_id and r.operation_id = o.id
      where o.merchant_id = :account and coalesce(r.state, 'pending') <> o.state`,
  );
  assert.deepEqual(off, [], 'the results of operations are not those of their settlement');
}

async function assertRefunds(rows: Rows): Promise<void> {
  const off = await rows(
    `select p.id from payments p
      where merchant_id = :account and (refunded_centavos, refunding_centavos) <> (
        select coalesce(sum(amount_centavos) filter (where r.status = 'succeeded'), 0),
               coalesce(sum(amount_centavos) filter (where r.status = 'in_progress'), 0)
          from refunds r where r.merchant_id = p.merchant_id and r.payment_id = p.id)`,
  );
  assert.deepEqual(off, [], 'the refunds do not add up to what their payment says');
}

/** The events are moves of the transition table, whole and in order, and the history is where they led. */
function assertToldWell(payment: OurPayment, events: Told[]): void {
  const names = events.map(({ event, data }) => `${event} ${data.status}`);
  assert.equal(names[0], 'payment.created processing');
  const way = wayThrough(events, 1, 'processing');
  assert.ok(way, `no way through the transition table: ${names.join(', ')}`);
  assert.deepEqual(
    payment.history.map((step) => step.status),
    ['processing', ...way],
  );
  assert.equal(payment.status, way.at(-1) ?? 'processing');
}

function wayThrough(events: Told[], at: number, from: PaymentStatus): PaymentStatus[] | undefined {
  const next = events[at];
  if (next === undefined) return [];
  const to = next.data.status;
  for (const move of Object.keys(PAYMENT_MOVES) as PaymentMove[]) {
    if (!mayMove(move, from, to)) continue;
    const told: readonly string[] = PAYMENT_MOVES[move].events;
    if (!told.every((name, i) => events[at + i]?.event === name && events[at + i]?.data.status === to))
      continue;
    const rest = wayThrough(events, at + told.length, to);
    if (rest !== undefined) return from === to ? rest : [to, ...rest];
  }
  return undefined;
}

function byReference<Row extends { reference: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.reference, row]));
}
