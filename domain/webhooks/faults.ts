/** Faults that the sandbox injects into the deliveries to an endpoint, so that its receiver can be tested. */
export interface Faults {
  /** Each attempt is sent twice at the same time. */
  readonly duplicate: boolean;
  /** Deliveries are sent in pairs, the later one first. */
  readonly reorder: boolean;
  /** Each attempt is sent this long after it is due. */
  readonly delay_s: number;
  /**
   * The first attempts of each delivery, this many, fail and are not sent. Those before it was requested again count.
   */
  readonly dropFirst: number;
  /** Deliveries are signed with a wrong secret. */
  readonly wrongSignature: boolean;
}

export const NO_FAULTS: Faults = {
  duplicate: false,
  reorder: false,
  delay_s: 0,
  dropFirst: 0,
  wrongSignature: false,
};

export function hasFaults({ duplicate, reorder, delay_s, dropFirst, wrongSignature }: Faults): boolean {
  return duplicate || reorder || delay_s > 0 || dropFirst > 0 || wrongSignature;
}
