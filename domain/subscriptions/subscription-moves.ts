import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './subscription-status.ts';

export type SubscriptionEvent =
  | 'subscription.created'
  | 'subscription.updated'
  | 'subscription.inactivated'
  | 'subscription.activated'
  | 'subscription.past_due'
  | 'subscription.unpaid'
  | 'subscription.canceled'
  | 'subscription.ended'
  | 'subscription.completed'
  | 'subscription.plan_changed'
  | 'subscription.charge_succeeded'
  | 'subscription.charge_failed'
  | 'subscription.deleted';

const PAID_UP = ['active', 'payment_approved'] as const;
const OVERDUE = ['payment_refused', 'past_due', 'unpaid'] as const;
const NOT_YET_CHARGED = ['payment_pending', 'trial_started'] as const;
const LIVE = [...NOT_YET_CHARGED, ...PAID_UP, ...OVERDUE] as const;

/**
 * Every change of a subscription (contract rows 8.4 to 8.9, 13.26 to 13.29). It is created as `payment_pending` or
 * `trial_started`, with the event `subscription.created`. One change of its billing can make several moves: an approved
 * first charge makes `record_success`, `activate` and `advance_cycle`.
 */
const MOVES = {
  /**
   * The payer authorized the mandate of a subscription with a trial, or the merchant chose a method without a mandate.
   */
  start_trial: {
    from: ['payment_pending'],
    to: ['trial_started'],
    by: ['merchant', 'acquirer'],
    events: ['subscription.updated'],
  },

  /** The charge of a cycle was approved, or its amount is 0. Money that arrives after the end is recorded too. */
  record_success: {
    from: [],
    to: [],
    keeps: SUBSCRIPTION_STATUSES,
    by: ['acquirer', 'clock'],
    events: ['subscription.charge_succeeded'],
  },
  /** The first approved charge, or one that pays an overdue cycle. A Pix recurring one becomes `payment_approved`. */
  activate: {
    from: [...NOT_YET_CHARGED, ...OVERDUE],
    to: PAID_UP,
    // A reactivated subscription is paid up before its overdue cycle is paid.
    keeps: PAID_UP,
    by: ['acquirer', 'clock'],
    events: ['subscription.activated'],
  },
  /** `current_cycle` has changed. */
  advance_cycle: {
    from: [],
    to: [],
    keeps: SUBSCRIPTION_STATUSES,
    by: ['acquirer', 'clock'],
    events: ['subscription.updated'],
  },

  record_failure: {
    from: [],
    to: [],
    keeps: SUBSCRIPTION_STATUSES,
    by: ['acquirer', 'clock'],
    events: ['subscription.charge_failed'],
  },
  /** The first attempt of a cycle failed and another one follows. */
  fall_behind: {
    from: [...NOT_YET_CHARGED, ...PAID_UP],
    to: ['past_due', 'payment_refused'],
    by: ['acquirer', 'clock'],
    events: ['subscription.past_due'],
  },
  /** No attempt follows. The status of a Pix recurring one is `payment_refused`. */
  give_up: {
    from: [...NOT_YET_CHARGED, ...PAID_UP, 'payment_refused', 'past_due'],
    to: ['unpaid', 'payment_refused'],
    by: ['acquirer', 'clock'],
    events: ['subscription.unpaid'],
  },

  cancel: {
    from: LIVE,
    to: ['canceled'],
    by: ['merchant'],
    events: ['subscription.canceled', 'subscription.inactivated'],
  },
  /** The cancellation of a Pix recurring subscription, by the merchant or by the payer at the bank. It is final. */
  cancel_mandate: {
    from: LIVE,
    to: ['canceled'],
    by: ['merchant', 'acquirer'],
    events: ['subscription.canceled', 'subscription.inactivated', 'subscription.deleted'],
  },
  reactivate: {
    from: ['canceled'],
    to: ['active'],
    by: ['merchant'],
    events: ['subscription.updated'],
  },
  /** The paid period of a canceled subscription has ended, or the first charge or mandate did not succeed in time. */
  end: {
    from: ['canceled', 'payment_pending'],
    to: ['ended'],
    by: ['clock', 'merchant', 'acquirer'],
    events: ['subscription.ended'],
  },
  /** The latest cycle was refunded in full, or its chargeback was lost. */
  revoke: {
    from: [...PAID_UP, ...OVERDUE, 'canceled'],
    to: ['ended'],
    by: ['acquirer'],
    events: ['subscription.inactivated', 'subscription.ended'],
  },
  complete: {
    from: PAID_UP,
    to: ['completed'],
    by: ['clock'],
    events: ['subscription.completed'],
  },

  /** By the acquirer if the plan changes with a mandate, which the payer authorizes. */
  change_plan: {
    from: [],
    to: [],
    keeps: LIVE,
    by: ['merchant', 'acquirer'],
    events: ['subscription.plan_changed', 'subscription.updated'],
  },
  /** A plan that was chosen for the next cycle replaces the present one, on the billing date of the cycle. */
  begin_plan: {
    from: [],
    to: [],
    keeps: LIVE,
    by: ['clock'],
    events: ['subscription.updated'],
  },
  /** The charge of an upgrade was approved. Money that arrives after a cancellation changes the plan too. */
  complete_upgrade: {
    from: [],
    to: [],
    keeps: SUBSCRIPTION_STATUSES,
    by: ['acquirer'],
    events: ['subscription.plan_changed', 'subscription.updated'],
  },
  /**
   * By the acquirer if the method changes when the payer authorizes its mandate. Paid-up subscriptions get the status
   * of the new method.
   */
  change_method: {
    from: PAID_UP,
    to: PAID_UP,
    keeps: [...NOT_YET_CHARGED, ...OVERDUE],
    by: ['merchant', 'acquirer'],
    events: ['subscription.updated'],
  },
} as const satisfies Moves<SubscriptionStatus, SubscriptionEvent>;

export type SubscriptionMove = keyof typeof MOVES;
export const subscriptionMachine: StateMachine<SubscriptionStatus, SubscriptionMove, SubscriptionEvent> =
  stateMachine('a subscription', MOVES);
