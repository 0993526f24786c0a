import type { InterestTable } from '../installments.ts';
import type { MerchantScope } from '../scope.ts';
import type { PaymentMethod } from './payment-methods.ts';

export const MERCHANT_STATUSES = ['pending', 'approved', 'suspended'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

/** What a request or a job needs to know of a merchant: its scope, what it may do, and its clock. */
export interface Merchant extends MerchantScope {
  readonly name: string;
  readonly legalName: string;
  readonly status: MerchantStatus;
  readonly plan: string;
  /** MCCs usable on this account, four digits each. */
  readonly mccs: readonly string[];
  readonly paymentMethods: readonly PaymentMethod[];
  readonly currencies: readonly string[];
  /** Requests a minute that replace the plan's, or null. */
  readonly rateLimitPerMinute: number | null;
  /** Days after the due date on which a refused card is retried, ascending; null: the default schedule. */
  readonly dunningDays: readonly number[] | null;
  readonly clock: MerchantClock;
}

/** Whether the merchant's customers may be charged. */
export function mayCharge({ status }: Pick<Merchant, 'status'>): boolean {
  return status === 'approved';
}

/** A merchant with the settings that only the operator and background jobs read. */
export interface MerchantRecord extends Merchant {
  readonly document: string | null;
  readonly webhookRetries_ms: readonly number[] | null;
  /** What buyers pay for installments at checkout pages; null if no interest is set. */
  readonly installmentInterest: InterestTable | null;
  readonly createdAt: Date;
}

/**
 * A merchant's time: wall time plus an offset that only increases (sandbox), or a fixed instant while an advance runs.
 * In production the offset is always 0.
 */
export interface MerchantClock {
  readonly offset_ms: number;
  readonly pinnedAt: Date | null;
}

export const WALL_CLOCK: MerchantClock = { offset_ms: 0, pinnedAt: null };

/** The merchant's current time at a given wall time. */
export function merchantNow(clock: MerchantClock, wall: Date): Date {
  return clock.pinnedAt ?? new Date(wall.getTime() + clock.offset_ms);
}
