/** Limits of one claim of due work in a slot. */
export interface Claim {
  readonly limit: number;
  /** Merchants that are left out, because enough of their work is in progress. */
  readonly except: readonly string[];
  /** The only merchant whose work is claimed; null for any merchant. */
  readonly only: string | null;
}

/** The condition on `merchant_id`, optionally of an alias, for the parameters of `claimParams`. */
export function claimCondition(alias?: string): string {
  const column = alias === undefined ? 'merchant_id' : `${alias}.merchant_id`;
  return `(cast(:only as uuid) is null or ${column} = :only) and ${column} <> all(cast(:except as uuid[]))`;
}

export function claimParams({ limit, except, only }: Claim) {
  return { limit, except, only };
}
