import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mandateMachine } from '../../../domain/payments/mandate-moves.ts';
import type { Actor } from '../../../domain/state-machine.ts';
import { invoiceMachine } from '../../../domain/subscriptions/invoice-moves.ts';
import { subscriptionMachine } from '../../../domain/subscriptions/subscription-moves.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscriptions/subscription-status.ts';
import { actorsAndEvents, statesOf, stepsOf } from '../../support/payments/machine-steps.ts';

const ACTORS: readonly Actor[] = ['merchant', 'acquirer', 'operator', 'clock'];
const unchanged = (statuses: readonly string[]) => statuses.map((status) => `${status} → ${status}`);
const to = (target: string, ...statuses: readonly string[]) =>
  statuses.map((status) => `${status} → ${target}`);

describe('a subscription', () => {
  const live = ['payment_pending', 'trial_started', 'active', 'payment_approved'];
  const overdue = ['payment_refused', 'past_due', 'unpaid'];

  it('changes its status by these moves, and by no others', () => {
    assert.deepEqual(stepsOf(subscriptionMachine, SUBSCRIPTION_STATUSES), {
      start_trial: ['payment_pending → trial_started'],
      record_success: unchanged(SUBSCRIPTION_STATUSES),
      activate: [
        ...['payment_pending → active', 'payment_pending → payment_approved'],
        ...['trial_started → active', 'trial_started → payment_approved'],
        ...unchanged(['active', 'payment_approved']),
        ...['payment_refused → active', 'payment_refused → payment_approved'],
        ...['past_due → active', 'past_due → payment_approved'],
        ...['unpaid → active', 'unpaid → payment_approved'],
      ],
      advance_cycle: unchanged(SUBSCRIPTION_STATUSES),
      record_failure: unchanged(SUBSCRIPTION_STATUSES),
      fall_behind: [
        ...['payment_pending → payment_refused', 'payment_pending → past_due'],
        ...['trial_started → payment_refused', 'trial_started → past_due'],
        ...['active → payment_refused', 'active → past_due'],
        ...['payment_approved → payment_refused', 'payment_approved → past_due'],
      ],
      give_up: [
        ...['payment_pending → payment_refused', 'payment_pending → unpaid'],
        ...['trial_started → payment_refused', 'trial_started → unpaid'],
        ...['active → payment_refused', 'active → unpaid'],
        ...['payment_approved → payment_refused', 'payment_approved → unpaid'],
        ...['payment_refused → payment_refused', 'payment_refused → unpaid'],
        ...['past_due → payment_refused', 'past_due → unpaid'],
      ],
      cancel: to('canceled', ...live, ...overdue),
      cancel_mandate: to('canceled', ...live, ...overdue),
      reactivate: ['canceled → active'],
      end: ['payment_pending → ended', 'canceled → ended'],
      revoke: to('ended', 'active', 'payment_approved', ...overdue, 'canceled'),
      complete: to('completed', 'active', 'payment_approved'),
      change_plan: unchanged([...live, ...overdue]),
      begin_plan: unchanged([...live, ...overdue]),
      complete_upgrade: unchanged(SUBSCRIPTION_STATUSES),
      change_method: [
        ...unchanged(['payment_pending', 'trial_started']),
        ...['active → active', 'active → payment_approved'],
        ...['payment_approved → active', 'payment_approved → payment_approved'],
        ...unchanged(overdue),
      ],
    });
  });

  it('has these actors and events for each move', () => {
    assert.deepEqual(actorsAndEvents(subscriptionMachine), {
      start_trial: { by: 'merchant, acquirer', events: ['subscription.updated'] },
      record_success: { by: 'acquirer, clock', events: ['subscription.charge_succeeded'] },
      activate: { by: 'acquirer, clock', events: ['subscription.activated'] },
      advance_cycle: { by: 'acquirer, clock', events: ['subscription.updated'] },
      record_failure: { by: 'acquirer, clock', events: ['subscription.charge_failed'] },
      fall_behind: { by: 'acquirer, clock', events: ['subscription.past_due'] },
      give_up: { by: 'acquirer, clock', events: ['subscription.unpaid'] },
      cancel: { by: 'merchant', events: ['subscription.canceled', 'subscription.inactivated'] },
      cancel_mandate: {
        by: 'merchant, acquirer',
        events: ['subscription.canceled', 'subscription.inactivated', 'subscription.deleted'],
      },
      reactivate: { by: 'merchant', events: ['subscription.updated'] },
      end: { by: 'clock, merchant, acquirer', events: ['subscription.ended'] },
      revoke: { by: 'acquirer', events: ['subscription.inactivated', 'subscription.ended'] },
      complete: { by: 'clock', events: ['subscription.completed'] },
      change_plan: {
        by: 'merchant, acquirer',
        events: ['subscription.plan_changed', 'subscription.updated'],
      },
      begin_plan: { by: 'clock', events: ['subscription.updated'] },
      complete_upgrade: {
        by: 'acquirer',
        events: ['subscription.plan_changed', 'subscription.updated'],
      },
      change_method: { by: 'merchant, acquirer', events: ['subscription.updated'] },
    });
  });
});

describe('an invoice', () => {
  it('changes its status by these moves, and by no others', () => {
    assert.deepEqual(stepsOf(invoiceMachine), {
      pay: to('paid', 'open', 'past_due', 'uncollectible', 'void'),
      fall_behind: to('past_due', 'open', 'past_due'),
      give_up: to('uncollectible', 'open', 'past_due'),
      void: to('void', 'open', 'past_due', 'uncollectible'),
      reopen: ['void → open'],
      retry: ['uncollectible → past_due'],
    });
  });

  it('has these actors for each move, and no events', () => {
    assert.deepEqual(actorsAndEvents(invoiceMachine), {
      pay: { by: 'acquirer, clock', events: [] },
      fall_behind: { by: 'merchant, acquirer, clock', events: [] },
      give_up: { by: 'acquirer, clock', events: [] },
      void: { by: 'merchant, acquirer, clock', events: [] },
      reopen: { by: 'clock, acquirer', events: [] },
      retry: { by: 'merchant', events: [] },
    });
  });
});

describe('a mandate', () => {
  it('changes its state by these moves, and by no others', () => {
    assert.deepEqual(stepsOf(mandateMachine), {
      authorize: ['created → authorized', 'authorized → authorized'],
      reject: ['created → rejected'],
      expire: ['created → expired'],
      cancel: ['created → canceled', 'authorized → canceled'],
    });
  });

  it('has these actors for each move, and no events', () => {
    assert.deepEqual(actorsAndEvents(mandateMachine), {
      authorize: { by: 'acquirer', events: [] },
      reject: { by: 'acquirer', events: [] },
      expire: { by: 'acquirer, clock', events: [] },
      cancel: { by: 'merchant, acquirer', events: [] },
    });
  });
});

describe('a move that is not allowed', () => {
  const machines = [
    [subscriptionMachine, SUBSCRIPTION_STATUSES],
    [invoiceMachine, statesOf(invoiceMachine)],
    [mandateMachine, statesOf(mandateMachine)],
  ] as const;

  it('throws, from every state and for every actor', () => {
    for (const [typed, states] of machines) {
      const machine = typed as unknown as typeof subscriptionMachine;
      for (const [name, { by: actors }] of Object.entries(machine.moves)) {
        const move = name as keyof typeof machine.moves;
        for (const from of states as unknown as typeof SUBSCRIPTION_STATUSES) {
          for (const target of states as unknown as typeof SUBSCRIPTION_STATUSES) {
            for (const by of ACTORS) {
              const request = () => machine.next(move, from, { by, to: target });
              if (actors.includes(by) && machine.allows(move, from, target)) {
                assert.equal(request(), target);
              } else {
                assert.throws(request, /cannot|not for/);
              }
            }
          }
        }
      }
    }
  });
});
