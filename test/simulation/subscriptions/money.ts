import assert from 'node:assert/strict';
import { dayOf, plusDays } from './calendar.ts';
import type { World } from './world.ts';

interface CapturedPayment {
  readonly id: string;
  readonly method: string;
  readonly status: string;
  readonly installments: number;
  readonly captured: number;
  readonly refunded: number;
  readonly fee: number;
  readonly split: readonly StoredShare[] | null;
  readonly at: Date;
}

interface StoredShare {
  readonly recipient_id: string;
  readonly share_centavos: number;
  readonly bears_fee: boolean;
  readonly is_liable: boolean;
}

/** What a party has received (`capture`), and what was taken from it, of one payment and on one day. */
interface Posting {
  readonly payment: string;
  readonly party: string;
  readonly kind: 'capture' | 'fee' | 'refund' | 'dispute';
  readonly day: string;
  readonly amount: number;
}

interface PartyShare {
  readonly party: string;
  readonly share: number;
  readonly bearsFee: boolean;
  readonly isLiable: boolean;
}

const MERCHANT = 'merchant';
const INSTALLMENT_DAYS = 30;

/**
 * The ledger gives every party its share of each payment, and takes from it what the contract says (rows 7.6 to 7.8,
 * 13.8, 13.9 and 13.11).
 */
export async function assertMoneyShared({ service, key }: World): Promise<void> {
  const payments = await service.rows<CapturedPayment>(
    `select id, method, status, installments, captured_centavos as captured, refunded_centavos as refunded,
        fee_centavos as fee, split, (select min(created_at) from ledger_transfers t
          where t.slot = :slot and t.merchant_id = :account and t.payment_id = payments.id) as at
       from payments where slot = :slot and merchant_id = :account and captured_centavos > 0`,
    key,
  );
  const postings = await service.rows<Posting>(
    `select payment_id as payment, coalesce(recipient_id::text, '${MERCHANT}') as party, kind, available_on::text as day,
        cast(sum(case when (kind = 'capture') = (credit in ('merchant', 'recipient')) then amount_centavos else -amount_centavos end)
          as bigint) as amount
       from ledger_transfers
      where slot = :slot and merchant_id = :account and (debit in ('merchant', 'recipient') or credit in ('merchant', 'recipient'))
      group by 1, 2, 3, 4`,
    key,
  );
  const ofPayment = Map.groupBy(postings, ({ payment }) => payment);
  for (const payment of payments) assertShared(payment, ofPayment.get(payment.id) ?? []);
}

function assertShared(payment: CapturedPayment, postings: readonly Posting[]): void {
  const { captured, refunded, status, fee } = payment;
  const parties = partiesOf(payment);
  const total = (kind: Posting['kind'], party: string) =>
    sum(postings.filter((one) => one.kind === kind && one.party === party).map(({ amount }) => amount));
  const totals = (kind: Posting['kind']) => parties.map(({ party }) => total(kind, party));
  const what = `payment ${payment.id}, ${status}`;
  assert.equal(sum(parties.map(({ share }) => share)), captured, `the shares of ${what}`);
  assert.deepEqual(
    totals('capture'),
    parties.map(({ share }) => share),
    `the capture of ${what}`,
  );
  assert.deepEqual(totals('fee'), feesOf(parties, fee), `the fee of ${what}`);
  const shares = parties.map(({ share }) => share);
  assertInProportion(totals('refund'), refunded, shares, `the refunds of ${what}`);
  const isDisputed = ['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'].includes(status);
  const liable = parties.map(({ isLiable, share }) => (isLiable ? share : 0));
  const bearing = sum(liable) > 0 ? liable : parties.map(({ party }) => (party === MERCHANT ? 1 : 0));
  assertInProportion(
    totals('dispute'),
    isDisputed ? captured - refunded : 0,
    bearing,
    `the dispute of ${what}`,
  );
  assertInstallments(payment, postings, what);
}

function partiesOf({ split, captured }: CapturedPayment): PartyShare[] {
  const recipients = (split ?? []).map(({ recipient_id, share_centavos, bears_fee, is_liable }) => ({
    ...{ party: recipient_id, share: share_centavos },
    ...{ bearsFee: bears_fee, isLiable: is_liable },
  }));
  const rest = captured - sum(recipients.map(({ share }) => share));
  const isAlone = !recipients.some(({ isLiable }) => isLiable);
  return [{ party: MERCHANT, share: rest, bearsFee: false, isLiable: isAlone }, ...recipients];
}

/**
 * Bearers pay in proportion to their shares, and at most these; odd centavos go to the first, and the rest to the
 * merchant.
 */
function feesOf(parties: readonly PartyShare[], fee: number): number[] {
  const bearing = parties.map(({ bearsFee, share }) => (bearsFee ? share : 0));
  const total = sum(bearing);
  const borne = Math.min(fee, total);
  const fees = bearing.map((share) => (total === 0 ? 0 : Math.floor((borne * share) / total)));
  let odd = borne - sum(fees);
  const paid = fees.map((part, i) => {
    const more = Math.min(odd, bearing[i]! - part);
    odd -= more;
    return part + more;
  });
  return [fee - borne, ...paid.slice(1)];
}

/** Each part differs from the exact proportion by less than a centavo. */
function assertInProportion(
  parts: readonly number[],
  amount: number,
  weights: readonly number[],
  what: string,
): void {
  const total = sum(weights);
  assert.equal(sum(parts), amount, what);
  parts.forEach((part, i) => {
    assert.ok(Math.abs(part * total - amount * weights[i]!) < total, `${what}: ${parts.join(', ')}`);
  });
}

/**
 * A card's money becomes available 30 days after the capture and every 30 days after that, in equal parts; the first
 * has the odd centavos.
 */
function assertInstallments(
  { method, installments, captured, at }: CapturedPayment,
  postings: readonly Posting[],
  what: string,
): void {
  if (method !== 'credit_card' && method !== 'browser_wallet') return;
  const part = Math.floor(captured / installments);
  const expected = Array.from({ length: installments }, (_, i) => [
    plusDays(dayOf(at.getTime()), INSTALLMENT_DAYS * (i + 1)),
    part + (i === 0 ? captured - part * installments : 0),
  ]).filter(([, amount]) => amount !== 0);
  const captures = postings.filter(({ kind }) => kind === 'capture');
  const byDay = [...Map.groupBy(captures, ({ day }) => day)];
  const parts = byDay.map(([day, ofDay]) => [day, sum(ofDay.map(({ amount }) => amount))]);
  assert.deepEqual(Object.fromEntries(parts), Object.fromEntries(expected), `the installments of ${what}`);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Number(amount), 0);
}
