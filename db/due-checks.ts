import type { Claim } from './engine/claim.ts';

/** A claim of rows about whose outcome the acquirer is asked. */
export interface CheckClaim extends Claim {
  readonly until: Date;
  readonly leasedUntil: Date;
  /** Whether the advance of a clock claims them, which settles each of them at the right time of its merchant. */
  readonly isAdvance: boolean;
}

/**
 * The condition on rows of `table` about whose outcome the acquirer is asked by `:until`: it leaves out merchants whose
 * clock is being advanced, because the advance settles their rows at the right time of the merchant. The advance
 * includes rows that are not due yet if the acquirer was asked about them before.
 */
export function isCheckDue(table: string, isAdvance: boolean): string {
  if (isAdvance) return '(check_at <= :until or attempts > 0)';
  return `check_at <= :until and not exists (
    select from merchant_clocks c
     where {slot:c} and c.merchant_id = ${table}.merchant_id and c.target is not null)`;
}
