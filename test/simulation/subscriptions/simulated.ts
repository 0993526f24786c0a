import type { Effective, Figures } from './model/merchant.ts';
import type { Plan } from './model/plan.ts';
import type { ModelSubscription } from './model/state.ts';

/** A subscription, and what the model says about it. */
export interface Simulated {
  readonly id: string;
  readonly code: string;
  readonly customerId: string;
  model: ModelSubscription;
  /** The scripts of the payer's bank. */
  readonly scriptIds: string[];
  /** What was compared last: the versions of its rows, and the model. */
  compared: string | null;
  /** The latest preview of a change of its plan. */
  preview: KeptPreview | null;
}

export interface KeptPreview {
  readonly id: string;
  readonly plan: Plan;
  readonly effective: Effective;
  readonly figures: Figures;
  /** The merchant's time. */
  readonly at: number;
}

/** A recipient of the merchant's. */
export interface Recipient {
  readonly id: string;
  isApproved: boolean;
}
