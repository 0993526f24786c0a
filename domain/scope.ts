/** Every merchant has one of so many slots. */
export const SLOTS = 256;

/**
 * The merchant whose rows a statement reads or writes. The keys of every table start with these two columns. `slot`
 * (0–255) is fixed when the merchant is created. A distributed Postgres distributes rows by it.
 */
export interface MerchantScope {
  readonly slot: number;
  readonly merchantId: string;
}
