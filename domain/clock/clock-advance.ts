/** An advance of a sandbox clock. `begunAt` and `target` are in the merchant's time. */
export interface ClockAdvance {
  readonly id: string;
  readonly begunAt: Date;
  readonly target: Date;
}

/** A step that ran during an advance. `at` is in the merchant's time. */
export interface ClockStep {
  readonly at: Date;
  readonly step: string;
  readonly objectId: string | null;
}
