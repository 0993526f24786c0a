import { billingRules } from './methods/index.ts';
import type { BillingMethodRules } from './methods/method.ts';
import { BILLING_METHODS, type BillingMethod } from './methods/names.ts';
import { type SubscriptionMove, subscriptionMachine } from './subscription-moves.ts';
import type { SubscriptionStatus } from './subscription-status.ts';

/** A move that changes the status of a subscription. */
export interface StatusChange {
  readonly move: SubscriptionMove;
  readonly from: SubscriptionStatus;
  readonly to: SubscriptionStatus;
}

interface State {
  readonly status: SubscriptionStatus;
  /** Whether a cycle was paid. */
  readonly isPaid: boolean;
}

const MOVES = Object.keys(subscriptionMachine.moves) as SubscriptionMove[];

/**
 * Every change of the status that can happen to a subscription that has one payment method from its creation to its
 * end. The table of moves also lists the changes of the other methods.
 */
function statusChanges(method: BillingMethod): StatusChange[] {
  const rules = billingRules(method);
  const changes = new Map<string, StatusChange>();
  const reached = new Map<string, State>();
  const reach = (state: State) => reached.set(`${state.status} ${state.isPaid}`, state);
  reach({ status: 'payment_pending', isPaid: false });
  if (!rules.needsMandate) reach({ status: 'trial_started', isPaid: false });
  // The iteration includes states that are added during it.
  for (const state of reached.values()) {
    for (const change of changesFrom(state, rules)) {
      const { move, from, to } = change;
      changes.set(`${move} ${from} ${to}`, change);
      reach({ status: to, isPaid: state.isPaid || move === 'activate' });
    }
  }
  return [...changes.values()];
}

/** The changes that can happen, by payment method. */
export function statusChangesByMethod(): Readonly<Record<BillingMethod, readonly StatusChange[]>> {
  const entries = BILLING_METHODS.map((method) => [method, statusChanges(method)] as const);
  return Object.fromEntries(entries) as Record<BillingMethod, StatusChange[]>;
}

function changesFrom(state: State, rules: BillingMethodRules): StatusChange[] {
  const { status: from } = state;
  return MOVES.filter((move) => subscriptionMachine.moves[move].from.includes(from)).flatMap((move) =>
    [...new Set(targetsOf(move, state, rules))].filter((to) => to !== from).map((to) => ({ move, from, to })),
  );
}

/** The statuses after a move that the table allows. None if the method does not have this move. */
function targetsOf(
  move: SubscriptionMove,
  { status, isPaid }: State,
  rules: BillingMethodRules,
): readonly SubscriptionStatus[] {
  const { to } = subscriptionMachine.moves[move];
  const only = (isPossible: boolean) => (isPossible ? to : []);
  switch (move) {
    case 'activate':
      return [rules.paidStatus];
    case 'fall_behind':
      return [rules.failedStatus(status, 'refused'), rules.failedStatus(status, 'expired')];
    case 'give_up':
      return [rules.unpaidStatus];
    case 'start_trial':
    case 'cancel_mandate':
      return only(rules.needsMandate);
    case 'cancel':
      return only(!rules.needsMandate);
    case 'reactivate':
      return only(rules.canReactivate && isPaid);
    case 'revoke':
      return only(isPaid);
    case 'change_method':
      return [];
    default:
      return to;
  }
}
