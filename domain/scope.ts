/**
 * Whose rows: every table's keys start with these two. `slot` (0–255) is fixed when the merchant is created and
 * lets the same SQL run on one Postgres or on a distributed one.
 */
export interface MerchantScope {
  readonly slot: number;
  readonly merchantId: string;
}
