import { apportion, isCentavos, sumOf } from '../money.ts';
import type { Account, PartyAccount } from './account.ts';
import type { Receivable } from './receivables.ts';

/** Why money goes from one account to another. */
export type TransferKind = 'capture' | 'fee' | 'refund' | 'dispute' | 'chargeback';

/** Moves money between two accounts, which differ. The amount is more than 0. */
export interface Transfer {
  readonly kind: TransferKind;
  readonly debit: Account;
  readonly credit: Account;
  readonly amount_centavos: number;
  /**
   * The transfer counts in the available balance from the beginning of this merchant's day, which may be in the past.
   */
  readonly availableOn: string;
}

/** The amounts of a payment at one moment. */
export interface CapturedAmounts {
  readonly captured_centavos: number;
  readonly refunded_centavos: number;
  /** Held back by a dispute that is open. */
  readonly disputed_centavos: number;
  /** Lost in a dispute. */
  readonly charged_back_centavos: number;
}

/** A party that receives a share of a payment. */
export interface Party {
  readonly account: PartyAccount;
  readonly share_centavos: number;
  readonly fee_centavos: number;
  readonly isLiable: boolean;
}

/** What each party gets from a captured payment, and when. Fixed at the capture. */
export interface CaptureTerms {
  /** Their shares add up to the captured amount, and at least one is liable. */
  readonly parties: readonly Party[];
  /** They add up to the captured amount. */
  readonly receivables: readonly Receivable[];
}

/**
 * The transfers that follow from a change of a payment's amounts.
 *
 * The totals that each party has received and lost depend on the amounts alone. A change posts the differences between
 * the totals before and after it. So the order of the changes does not matter: partial refunds give the same result in
 * any order, and a dispute that is won restores every balance exactly.
 *
 * - A capture gives every party its share, and takes its part of the fee. The fee is not given back.
 * - A refund takes from every party in proportion to its share.
 * - A dispute takes from the liable parties in proportion to their shares, until it is won. When it is lost, the money
 *   that it holds back goes to the acquirer.
 *
 * What is taken from a party is taken from its receivables in proportion. So a refund of money that is still pending
 * does not reduce the available balance.
 *
 * Throws a RangeError for amounts that are impossible, or that do not fit the terms.
 */
export function transfersOf(
  terms: CaptureTerms,
  { before, after }: { readonly before: CapturedAmounts; readonly after: CapturedAmounts },
): Transfer[] {
  for (const amounts of [before, after]) assertPossible(terms, amounts);
  if (after.captured_centavos < before.captured_centavos)
    throw new RangeError('A capture is not taken back.');
  if (after.captured_centavos === 0) return [];
  const earlier = before.captured_centavos === 0 ? [] : totalsOf(terms, before);
  return totalsOf(terms, after).flatMap((total, at) =>
    difference(total, total.amount_centavos - (earlier[at]?.amount_centavos ?? 0)),
  );
}

/** A transfer for the change of a total. For a decrease, it goes in the opposite direction. */
function difference({ debit, credit, ...total }: Transfer, added_centavos: number): Transfer[] {
  if (added_centavos === 0) return [];
  return added_centavos > 0
    ? [{ ...total, debit, credit, amount_centavos: added_centavos }]
    : [{ ...total, debit: credit, credit: debit, amount_centavos: -added_centavos }];
}

/**
 * The total of each transfer since the capture. The list always has the same transfers in the same order; the amount is
 * 0 if nothing was transferred.
 */
function totalsOf(terms: CaptureTerms, amounts: CapturedAmounts): Transfer[] {
  const { parties, receivables } = terms;
  const { refunded_centavos, disputed_centavos, charged_back_centavos } = amounts;
  const received = receivedOf(terms);
  const refunds = apportion(refunded_centavos, sharesOf(parties));
  const disputes = apportion(disputed_centavos + charged_back_centavos, liabilitiesOf(parties));
  const totals = parties.flatMap((party, at) =>
    totalsOfParty(party, receivables, {
      received: received[at]!,
      refunded_centavos: refunds[at]!,
      disputed_centavos: disputes[at]!,
    }),
  );
  // The day has no effect: neither account has a pending balance.
  const { availableOn } = receivables[0]!;
  const lost = { kind: 'chargeback', debit: 'disputes', credit: 'acquirer_receivable', availableOn } as const;
  return [...totals, { ...lost, amount_centavos: charged_back_centavos }];
}

interface PartyAmounts {
  /** Its part of each receivable. */
  readonly received: readonly number[];
  readonly refunded_centavos: number;
  readonly disputed_centavos: number;
}

/** The totals of one party, for each receivable. */
function totalsOfParty(
  { account, fee_centavos }: Party,
  receivables: readonly Receivable[],
  { received, refunded_centavos, disputed_centavos }: PartyAmounts,
): Transfer[] {
  // A party without a share can still bear a fee or a dispute.
  const weights = sumOf(received) > 0 ? received : receivables.map(({ amount_centavos }) => amount_centavos);
  const fees = apportion(fee_centavos, weights);
  const refunds = apportion(refunded_centavos, weights);
  const taken = apportion(refunded_centavos + disputed_centavos, weights);
  return receivables.flatMap(({ availableOn }, at): Transfer[] => [
    {
      kind: 'capture',
      debit: 'acquirer_receivable',
      credit: account,
      amount_centavos: received[at]!,
      availableOn,
    },
    { kind: 'fee', debit: account, credit: 'platform_fees', amount_centavos: fees[at]!, availableOn },
    {
      kind: 'refund',
      debit: account,
      credit: 'acquirer_receivable',
      amount_centavos: refunds[at]!,
      availableOn,
    },
    {
      kind: 'dispute',
      debit: account,
      credit: 'disputes',
      amount_centavos: taken[at]! - refunds[at]!,
      availableOn,
    },
  ]);
}

/**
 * The part of each receivable that each party receives. The parts of a party add up to its share, and the parts of a
 * receivable to its amount.
 */
function receivedOf({ parties, receivables }: CaptureTerms): number[][] {
  const shares = sharesOf(parties);
  let due_centavos = 0;
  const dueByReceivable = receivables.map(({ amount_centavos }) => {
    due_centavos += amount_centavos;
    return apportion(due_centavos, shares);
  });
  return parties.map((_, party) =>
    dueByReceivable.map((due, at) => due[party]! - (dueByReceivable[at - 1]?.[party] ?? 0)),
  );
}

function sharesOf(parties: readonly Party[]): number[] {
  return parties.map(({ share_centavos }) => share_centavos);
}

/** The shares of the liable parties. If none of them has a share, the merchant bears disputes alone. */
function liabilitiesOf(parties: readonly Party[]): number[] {
  const shares = parties.map(({ isLiable, share_centavos }) => (isLiable ? share_centavos : 0));
  return sumOf(shares) > 0 ? shares : parties.map(({ account }) => (account === 'merchant' ? 1 : 0));
}

function assertPossible({ parties, receivables }: CaptureTerms, amounts: CapturedAmounts): void {
  const { captured_centavos, refunded_centavos, disputed_centavos, charged_back_centavos } = amounts;
  const taken = [refunded_centavos, disputed_centavos, charged_back_centavos];
  const isPossible = taken.every(isCentavos) && sumOf(taken) <= captured_centavos;
  if (!isPossible) throw new RangeError('More was taken from the payment than was captured.');
  if (captured_centavos === 0) return;
  const due_centavos = sumOf(receivables.map(({ amount_centavos }) => amount_centavos));
  if (sumOf(sharesOf(parties)) !== captured_centavos || due_centavos !== captured_centavos) {
    throw new RangeError('The terms are not those of the captured amount.');
  }
}
