/** What an account holds, in centavos. Either part can be negative. */
export interface Balance {
  readonly available_centavos: number;
  /** Becomes available on later days. */
  readonly pending_centavos: number;
}
