/**
 * The acquirer's lines and our ledger agree for every short history of two refunds and two disputes, in whatever order
 * their reports arrive, also if all changes have the same time. After any change of a line or of the ledger, they
 * differ.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { compareSettlement, type DisputedRefund, type FiledLine } from '../../../domain/ledger/settlement.ts';
import { type SummedTransfers, settlementPostings } from '../../../domain/ledger/settlement-postings.ts';

type Refund = 'r1' | 'r2';
type Step = 'open' | 'win' | 'open again' | 'win again' | Refund | `${Refund} ${'succeeded' | 'denied'}`;
/** A step, and when its report arrives. */
type Received = readonly [step: Step, at: number];

const CAPTURED = 1_000;
const AMOUNTS = { r1: 300, r2: 200 } as const;
const MOST_STEPS = 5;
/** For the changes, which are many. */
const FEWER_STEPS = 4;
const DAY = '1970-01-01';

/** What can follow at the acquirer, which accepts no refund during a dispute. */
function following(steps: readonly Step[]): Step[] {
  const has = (step: Step) => steps.includes(step);
  const isDisputed = (has('open') && !has('win')) || (has('open again') && !has('win again'));
  const refunds = (['r1', 'r2'] as const).flatMap((refund): Step[] => {
    if (has(`${refund} succeeded`) || has(`${refund} denied`)) return [];
    if (has(refund)) return [`${refund} succeeded`, `${refund} denied`];
    return isDisputed || (refund === 'r2' && !has('r1')) ? [] : [refund];
  });
  const disputes = (['open', 'win', 'open again', 'win again'] as const).filter((step) => !has(step));
  return [...refunds, ...disputes.slice(0, 1)];
}

function histories(most: number, steps: readonly Step[] = []): (readonly Step[])[] {
  const longer = steps.length === most ? [] : following(steps);
  return [steps, ...longer.flatMap((step) => histories(most, [...steps, step]))];
}

const isRequest = (step: Step): step is Refund => step === 'r1' || step === 'r2';
const refundOf = (step: Step) => step.slice(0, 2) as Refund;

/** The orders in which the reports of a history can arrive: at once, after later ones, or at its end. */
function arrivals(steps: readonly Step[], from = 0): Received[][] {
  const step = steps[from];
  if (step === undefined) return [[]];
  const times = isRequest(step) ? [from] : [from, from + 1.5, from + 2.5, steps.length];
  const possible = [...new Set(times.filter((at) => at <= steps.length))];
  return arrivals(steps, from + 1).flatMap((rest) => possible.map((at): Received[] => [[step, at], ...rest]));
}

/** Each report about a dispute waits for the one before. */
function isInOrder(received: readonly Received[]): boolean {
  const order = received.map(([step]) => step);
  const disputes = order.filter((step) => /^(open|win)/.test(step));
  return disputes.join() === ['open', 'win', 'open again', 'win again'].slice(0, disputes.length).join();
}

function linesOf(steps: readonly Step[], time: (at: number) => Date): FiledLine[] {
  const lines: FiledLine[] = [];
  const add = (reference: string, type: FiledLine['type'], amount_centavos: number, at: number) =>
    lines.push({ reference, type, amount_centavos, occurredAt: time(at), day: DAY });
  add('payment', 'capture', CAPTURED, 0);
  let [refunded, isDisputed] = [0, false];
  steps.forEach((step, at) => {
    if (isRequest(step)) refunded += AMOUNTS[step];
    else if (step.endsWith('succeeded')) add(refundOf(step), 'refund', AMOUNTS[refundOf(step)], at);
    else if (step.endsWith('denied')) {
      refunded -= AMOUNTS[refundOf(step)];
      if (isDisputed) add(refundOf(step), 'dispute', AMOUNTS[refundOf(step)], at);
    } else {
      isDisputed = step.startsWith('open');
      add('payment', isDisputed ? 'dispute' : 'dispute_reversed', CAPTURED - refunded, at);
    }
  });
  return lines;
}

/** What our records are after these reports; undefined if we would not have sent a refund then. */
function recorded(received: readonly Received[], time: (at: number) => Date) {
  const sums: SummedTransfers[] = [];
  const refunds = new Map<Refund, DisputedRefund & { paymentId: string }>();
  let [refunded, isDisputed] = [0, false];
  const add = (id: number, kind: SummedTransfers['kind'], reference: string, amount: number, at: Date) =>
    sums.push({ transactionId: String(id), paymentId: 'p', reference, kind, amount_centavos: amount, at });
  add(-1, 'capture', 'payment', CAPTURED, time(-1));
  for (const [id, [step, moment]] of received.entries()) {
    const at = time(moment);
    if (isRequest(step)) {
      if (isDisputed) return undefined;
      const amount_centavos = AMOUNTS[step];
      const times = { createdAt: at, updatedAt: at };
      refunds.set(step, {
        reference: step,
        paymentId: 'p',
        amount_centavos,
        status: 'in_progress',
        ...times,
      });
    } else if (/^(open|win)/.test(step)) {
      isDisputed = step.startsWith('open');
      add(id, 'dispute', 'payment', (isDisputed ? 1 : -1) * (CAPTURED - refunded), at);
    } else {
      const reference = refundOf(step);
      const status = step.endsWith('denied') ? 'denied' : 'succeeded';
      refunds.set(reference, { ...refunds.get(reference)!, status, updatedAt: at });
      if (status === 'denied') continue;
      refunded += AMOUNTS[reference];
      add(id, 'refund', reference, AMOUNTS[reference], at);
      if (isDisputed) add(id, 'dispute', reference, -AMOUNTS[reference], at);
    }
  }
  return { sums, refunds: [...refunds.values()] };
}

type Records = NonNullable<ReturnType<typeof recorded>>;

function differencesOf(lines: readonly FiledLine[], { sums, refunds }: Records) {
  const postings = settlementPostings(sums, refunds).map((one) => ({ ...one, day: DAY }));
  return compareSettlement({ day: DAY, lines, postings }).differences;
}

/** All histories of up to `most` steps, in all orders of their reports. */
function* honest(most: number, time: (at: number) => Date) {
  for (const steps of histories(most)) {
    const lines = linesOf(steps, time);
    for (const arrival of arrivals(steps)) {
      const received = arrival.toSorted(([, one], [, other]) => one - other);
      const records = isInOrder(received) ? recorded(received, time) : undefined;
      if (records === undefined) continue;
      yield { lines, records, history: `${steps.join(', ')}; received ${received.join('; ')}` };
    }
  }
}

/** The list with one of its elements left out, doubled, or with another amount. */
function mutations<T extends { readonly amount_centavos: number }>(
  list: readonly T[],
  changes: readonly number[],
): T[][] {
  return list.flatMap((one, at) => {
    const changed = changes
      .map((change) => ({ ...one, amount_centavos: one.amount_centavos + change }))
      .filter(({ amount_centavos }) => amount_centavos !== 0);
    return [[], [one, one], ...changed.map((other) => [other])].map((replaced) =>
      list.toSpliced(at, 1, ...replaced),
    );
  });
}

const CLOCKS = [
  ['one after another', 3_600_000],
  ['in one moment', 0],
] as const;

for (const [name, hour_ms] of CLOCKS) {
  const time = (at: number) => new Date((at + 2) * hour_ms);

  test(`agree with steps ${name}`, () => {
    let compared = 0;
    for (const { lines, records, history } of honest(MOST_STEPS, time)) {
      assert.deepEqual(differencesOf(lines, records), [], history);
      compared += 1;
    }
    assert.ok(compared > 1_000, String(compared));
  });

  test(`differ after any change of a line or of the ledger, with steps ${name}`, () => {
    let compared = 0;
    for (const { lines, records, history } of honest(FEWER_STEPS, time)) {
      const isOver = records.refunds.every(({ status }) => status !== 'in_progress');
      // The acquirer may subtract a refund that has no result, or not.
      const changes = [1, -1, ...(isOver ? [300, -300, 200, -200, 500, -500] : [])];
      for (const changed of mutations(lines, changes)) {
        if (differencesOf(changed, records).length === 0)
          assert.fail(`${history}; lines ${inspect(changed)}`);
      }
      for (const sums of mutations(records.sums, changes)) {
        const found = differencesOf(lines, { ...records, sums });
        if (found.length === 0) assert.fail(`${history}; ledger ${inspect(sums)}`);
      }
      compared += 1;
    }
    assert.ok(compared > 300, String(compared));
  });
}
