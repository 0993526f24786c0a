import { DAY_MS, SECOND_MS } from '../../domain/durations.ts';
import { CARD_REFUSAL_CODES, type CardRefusalCode } from '../../domain/payments/refusal-reasons.ts';
import type { SimulatedOutcome } from '../sandbox-control.ts';

/**
 * How the simulated acquirer answers one call. `time_out`: it does the work, but its answer is lost. `time_out_lost`:
 * the request is lost, and nothing is done.
 */
export interface CallBehaviour {
  readonly outcome: 'approve' | 'time_out' | 'time_out_lost' | CardRefusalCode;
  /** Answers `pending`, and settles after this time (account's time). */
  readonly late_ms?: number;
}

/**
 * How a payment is created. `authorization`: the acquirer decides, and the money is captured then or later. `charge`:
 * the acquirer registers it, and the buyer pays it later. `mandate`: the payer authorizes a mandate, and the payer's
 * bank then pays its charges.
 */
export type CreationType = 'authorization' | 'charge' | 'mandate';

/** What happens without a call: what a tester can simulate, and what a payer does with a mandate. */
export type EventName =
  | SimulatedOutcome
  | 'mandate_authorized'
  | 'mandate_rejected'
  | 'mandate_canceled'
  | 'card_updated';

/** An event that follows without a call, this long after the payment was accepted or paid (account's time). */
export interface FollowUp {
  readonly after: 'accepted' | 'paid';
  readonly delay_ms: number;
  readonly event: SimulatedOutcome;
  /** Only for payments that are created in this way. */
  readonly only?: CreationType;
}

/** Codes are of `domain/payments/pix-automatico-reasons.ts`. */
export interface PayerBehaviour {
  /** `authorize`, or the code of the rejection, shortly after the request. Absent: a tester decides. */
  readonly mandate?: string;
  /** Why each charge is refused on its due date. Absent: it is paid. */
  readonly charge?: string;
}

/** How the acquirer treats a payment. A call that is not named is approved. */
export interface Behaviour {
  /** The authorization, or the registration of a charge. */
  readonly authorize?: CallBehaviour;
  readonly capture?: CallBehaviour;
  readonly cancel?: CallBehaviour;
  readonly refund?: CallBehaviour;
  readonly networkToken?: CallBehaviour;
  /** What the issuer does with a card that has a network token: a new expiry, or another card. */
  readonly cardUpdate?: 'renewed' | 'replaced';
  /** What the payer and the payer's bank do with a mandate of Pix Automático. */
  readonly payer?: PayerBehaviour;
  readonly followUps?: readonly FollowUp[];
  /** Sends a notification of every approval, before the answer and again after it. */
  readonly notifiedTwice?: boolean;
}

export const SHORT_DELAY_MS = 10 * SECOND_MS;

const PAID: FollowUp = { after: 'accepted', delay_ms: SHORT_DELAY_MS, event: 'paid', only: 'charge' };
const FRAUD: FollowUp = {
  after: 'accepted',
  delay_ms: SHORT_DELAY_MS,
  event: 'fraud',
  only: 'authorization',
};
const DISPUTED: FollowUp = { after: 'paid', delay_ms: 2 * DAY_MS, event: 'chargeback_requested' };

const NAMED = {
  approve: {},
  approve_late: { authorize: { outcome: 'approve', late_ms: SHORT_DELAY_MS } },
  refuse_late: { authorize: { outcome: 'do_not_honor', late_ms: SHORT_DELAY_MS } },
  time_out: { authorize: { outcome: 'time_out' } },
  time_out_lost: { authorize: { outcome: 'time_out_lost' } },
  notified_twice: { notifiedTwice: true, followUps: [PAID] },
  fraud_later: { followUps: [FRAUD] },
  capture_fails: { capture: { outcome: 'processing_error' } },
  capture_late: { capture: { outcome: 'approve', late_ms: SHORT_DELAY_MS } },
  capture_times_out: { capture: { outcome: 'time_out' } },
  cancel_fails: { cancel: { outcome: 'processing_error' } },
  cancel_late: { cancel: { outcome: 'approve', late_ms: SHORT_DELAY_MS } },
  cancel_fails_late: { cancel: { outcome: 'processing_error', late_ms: SHORT_DELAY_MS } },
  cancel_times_out: { cancel: { outcome: 'time_out' } },
  refund_fails: { refund: { outcome: 'processing_error' }, followUps: [PAID] },
  refund_late: { refund: { outcome: 'approve', late_ms: DAY_MS }, followUps: [PAID] },
  refund_fails_late: { refund: { outcome: 'processing_error', late_ms: DAY_MS }, followUps: [PAID] },
  refund_times_out: { refund: { outcome: 'time_out' }, followUps: [PAID] },
  disputed: { followUps: [PAID, DISPUTED] },
  disputed_won: {
    followUps: [PAID, DISPUTED, { after: 'paid', delay_ms: 4 * DAY_MS, event: 'chargeback_won' }],
  },
  disputed_lost: {
    followUps: [PAID, DISPUTED, { after: 'paid', delay_ms: 4 * DAY_MS, event: 'chargeback_lost' }],
  },
  card_renewed: { cardUpdate: 'renewed' },
  card_replaced: { cardUpdate: 'replaced' },
  network_token_fails: { networkToken: { outcome: 'do_not_honor' } },
  pays_itself: { followUps: [PAID], payer: { mandate: 'authorize' } },
  mandate_rejected: { payer: { mandate: 'AP13' } },
  recurring_refused: { payer: { mandate: 'authorize', charge: 'AM02' } },
  recurring_refused_finally: { payer: { mandate: 'authorize', charge: 'AC05' } },
  expires_early: { followUps: [{ after: 'accepted', delay_ms: SHORT_DELAY_MS, event: 'expired' }] },
  refused_unpaid: { followUps: [{ after: 'accepted', delay_ms: SHORT_DELAY_MS, event: 'refused' }] },
} as const satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof NAMED | CardRefusalCode;

/** Every behaviour by its name. A refusal code names the behaviour that refuses every authorization for that reason. */
export const BEHAVIOURS: Readonly<Record<BehaviourName, Behaviour>> = {
  ...NAMED,
  ...(Object.fromEntries(
    CARD_REFUSAL_CODES.map((code) => [code, { authorize: { outcome: code } }]),
  ) as unknown as Record<CardRefusalCode, Behaviour>),
};
