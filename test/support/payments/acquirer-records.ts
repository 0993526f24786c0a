import assert from 'node:assert/strict';
import type { PaymentStatus, PendingOperation } from '../../../domain/payments/payment.ts';
import { type PaymentMove, paymentMachine } from '../../../domain/payments/payment-moves.ts';
import {
  PAYMENT_STATES,
  type PaymentState,
  recordOfState,
  stateOf,
} from '../../../domain/payments/payment-state.ts';
import { assertLedgerAgrees } from '../ledger/ledger-records.ts';
import type { TestService } from '../service.ts';
import { assertEvidenceAgrees } from './evidence-records.ts';

interface OurPayment {
  id: string;
  reference: string;
  status: PaymentStatus;
  method: string;
  pending_operation: PendingOperation | null;
  refusal_code: string | null;
  captured_centavos: number;
  refunded_centavos: number;
  refunding_centavos: number;
  history: { status: PaymentStatus }[];
  details: { role?: string };
}

interface TheirPayment {
  reference: string;
  state: string;
  captured_centavos: number;
  refunded_centavos: number;
}

interface Event {
  payment_id: string;
  event: string;
  data: { status: PaymentStatus };
}

interface Operation {
  reference: string;
  kind: string;
  state: string;
  payment_id: string;
}

interface TheirOperation {
  reference: string;
  kind: string;
  status: string;
  outcome: { status: string } | null;
}

/** States that the acquirer may record for a payment that has a status in the service. */
const THEIRS: Readonly<Record<PaymentStatus, readonly (string | undefined)[]>> = {
  scheduled: [undefined, 'open'],
  processing: [undefined, 'pending', 'open', 'authorized', 'captured', 'voided', 'refused'],
  waiting_payment: ['open'],
  pre_authorized: ['authorized'],
  AUTHORIZED: ['authorized'],
  paid: ['captured'],
  refused: [undefined, 'refused'],
  // Where the service expires it first, the acquirer may still refuse the charge, or authorize a mandate, which is then
  // canceled. No money moves either way.
  expired: ['expired', 'open', 'refused', 'authorized'],
  // A scheduled charge may be canceled before it is sent.
  canceled: [undefined, 'voided'],
  refund_in_progress: ['captured'],
  partially_refunded: ['captured'],
  refunded: ['captured'],
  chargeback_requested: ['captured'],
  chargeback_dispute: ['captured'],
  chargeback_lost: ['captured'],
};

/**
 * Compares everything that the service recorded about a merchant's payments with itself and with the acquirer's
 * records, to the centavo: amounts, operations, refunds, disputes, evidence and the ledger. Events
 * and history must be one path through the state machine.
 */
export async function assertAcquirerAgrees(service: TestService, account: string): Promise<void> {
  const rows = <Row>(sql: string) => service.rows<Row>(sql, { account });
  const payments = await rows<OurPayment>('select * from payments where merchant_id = :account');
  const theirs = byReference(
    // The verification of a wallet, an authorization of 0, is no payment of the service.
    await rows<TheirPayment>(
      `select * from simulator.payments
        where account = :account and not (amount_centavos = 0 and credential is not null)`,
    ),
  );
  const called = await rows<Operation>('select * from payment_operations where merchant_id = :account');
  const events = await rows<Event>(
    'select * from events where merchant_id = :account order by created_at, id',
  );
  for (const payment of payments) {
    assertAmounts(payment, theirs.get(payment.reference));
    const open = called.filter((call) => call.payment_id === payment.id && call.state === 'pending');
    if (payment.status === 'processing')
      assert.ok(open.length > 0, 'no open operation will settle this payment');
    assertPending(payment, open);
    assertEvents(
      payment,
      events.filter((event) => event.payment_id === payment.id),
    );
    theirs.delete(payment.reference);
  }
  assert.deepEqual([...theirs.keys()], [], 'the acquirer has payments that the service does not have');
  await assertOperations(rows, payments, called);
  await assertResults(rows);
  await assertRefunds(rows);
  await assertEvidenceAgrees(service, account);
  await assertLedgerAgrees(service, account);
}

type Rows = <Row>(sql: string) => Promise<Row[]>;

function assertAmounts(ours: OurPayment, theirs: TheirPayment | undefined): void {
  const what = `${ours.status} here, ${theirs?.state ?? 'nothing'} there`;
  assert.ok(THEIRS[ours.status].includes(theirs?.state), what);
  if (ours.status === 'processing') return;
  assert.equal(ours.captured_centavos, theirs?.captured_centavos ?? 0, what);
  assert.equal(ours.refunded_centavos + ours.refunding_centavos, theirs?.refunded_centavos ?? 0, what);
}

/** Both sides have each operation under one reference, with the same result. */
async function assertOperations(rows: Rows, payments: OurPayment[], called: Operation[]): Promise<void> {
  const seen = byReference(
    await rows<TheirOperation>(
      `select * from simulator.operations
        where account = :account and kind not in ('network_token', 'wallet_credential')
          and reference not in (select reference from dispute_evidence where merchant_id = :account)`,
    ),
  );
  const suspects = new Set(payments.filter((p) => p.refusal_code === 'fraud').map((p) => p.id));
  for (const { reference, kind, state, payment_id } of called) {
    const there = seen.get(reference);
    seen.delete(reference);
    if (state === 'pending' || (kind === 'authorize' && suspects.has(payment_id))) continue;
    assert.equal(there?.outcome?.status ?? 'refused', state, `${kind}: ${state} here`);
  }
  assert.deepEqual([...seen.keys()], [], 'the acquirer has operations that the service does not have');
}

/** A settled operation has a result with its state. An open one has none. */
async function assertResults(rows: Rows): Promise<void> {
  const off = await rows(
    `select o.id from payment_operations o left join payment_operation_results r
         on r.slot = o.slot and r.merchant_id = o.merchant_id and r.operation_id = o.id
      where o.merchant_id = :account and coalesce(r.state, 'pending') <> o.state`,
  );
  assert.deepEqual(off, [], 'operations and their results differ');
}

async function assertRefunds(rows: Rows): Promise<void> {
  const off = await rows(
    `select p.id from payments p left join refunds r
         on r.slot = p.slot and r.merchant_id = p.merchant_id and r.payment_id = p.id
      where p.merchant_id = :account
      group by p.slot, p.merchant_id, p.id
     having p.refunded_centavos <> coalesce(sum(r.amount_centavos) filter (where r.status = 'succeeded'), 0)
         or p.refunding_centavos <> coalesce(sum(r.amount_centavos) filter (where r.status = 'in_progress'), 0)`,
  );
  assert.deepEqual(off, [], 'the refunds do not add up to the amounts of their payment');
}

/**
 * The events must be complete moves of the state machine, in order, to the state that the payment is in. The history
 * must be the statuses of these states.
 */
function assertEvents(payment: OurPayment, events: Event[]): void {
  const names = events.map(({ event, data }) => `${event} ${data.status}`);
  const statuses = payment.history.map((step) => step.status);
  const [first] = statuses;
  assert.ok(first === 'processing' || (first === 'scheduled' && payment.method === 'pix_recurring'), first);
  const created = `payment.created ${first}`;
  // A later charge by a mandate makes no event when it is created (contract row 8.5).
  const isSilent = payment.details.role === 'later_charge' && names[0] !== created;
  if (!isSilent) assert.equal(names[0], created);
  const end = stateOf({ status: payment.status, pendingOperation: payment.pending_operation });
  const isPath = leadsTo(end, first, isSilent ? events : events.slice(1), statuses.slice(1));
  assert.ok(isPath, `no path through the state machine: ${names.join(', ')}; ${statuses.join(', ')}`);
}

/**
 * Whether moves of the state machine emit these events, and go through these statuses, on the way from a state to
 * `end`. `passed`: the states since the last event or status.
 */
function leadsTo(
  end: PaymentState,
  from: PaymentState,
  events: readonly Event[],
  statuses: readonly PaymentStatus[],
  passed: readonly PaymentState[] = [],
): boolean {
  if (passed.includes(from)) return false;
  if (events.length === 0 && statuses.length === 0 && from === end) return true;
  return stepsFrom(from).some(({ move, to }) => {
    const emitted = paymentMachine.moves[move].events;
    const { status } = recordOfState(to);
    const isEmitted = emitted.every(
      (name, i) => events[i]?.event === name && events[i]?.data.status === status,
    );
    if (!isEmitted) return false;
    const isSameStatus = recordOfState(from).status === status;
    if (!isSameStatus && statuses[0] !== status) return false;
    const isSeen = emitted.length > 0 || !isSameStatus;
    const left = isSameStatus ? statuses : statuses.slice(1);
    return leadsTo(end, to, events.slice(emitted.length), left, isSeen ? [] : [...passed, from]);
  });
}

/** All steps out of a state that change it or emit an event. */
function stepsFrom(from: PaymentState): { move: PaymentMove; to: PaymentState }[] {
  const moves = Object.keys(paymentMachine.moves) as PaymentMove[];
  return moves.flatMap((move) => {
    const isSilent = paymentMachine.moves[move].events.length === 0;
    return PAYMENT_STATES.filter(
      (to) => paymentMachine.allows(move, from, to) && !(isSilent && to === from),
    ).map((to) => ({ move, to }));
  });
}

/** A payment in a pending state has the open operation that will end it. */
function assertPending(payment: OurPayment, open: Operation[]): void {
  const kinds = open.map(({ kind }) => (kind === 'capture' || kind === 'cancel' ? kind : null));
  const { status, pending_operation } = payment;
  if (pending_operation !== null) {
    assert.ok(kinds.includes(pending_operation === 'void' ? 'cancel' : pending_operation), status);
  } else if (['pre_authorized', 'waiting_payment'].includes(status)) {
    assert.deepEqual(kinds.filter(Boolean), [], 'an operation is open that the payment does not show');
  }
}

function byReference<Row extends { reference: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.reference, row]));
}
