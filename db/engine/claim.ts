/** What one claim of due work takes within a slot. */
export interface Claim {
  readonly limit: number;
  /** Merchants of whom nothing is taken: enough of theirs is under way. */
  readonly except: readonly string[];
  /** The one merchant of whom something is taken; null = any. */
  readonly only: string | null;
}

/** Condition on `merchant_id`, or on that of an alias, for the parameters of `claimParams`. */
export function claimable(alias?: string): string {
  const column = alias === undefined ? 'merchant_id' : `${alias}.merchant_id`;
  return `(cast(:only as uuid) is null or ${column} = :only) and ${column} <> all(cast(:except as uuid[]))`;
}

export function claimParams({ limit, except, only }: Claim) {
  return { limit, except, only };
}
