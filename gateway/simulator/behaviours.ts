import { CARD_REFUSAL_CODES, type CardRefusalCode } from '../../domain/payments/refusal-reasons.ts';
import type { SimulatedOutcome } from '../sandbox-control.ts';

/**
 * How the simulated acquirer answers one call.
 * `time_out`: does it, and the answer is lost. `time_out_lost`: the request itself is lost, nothing is done.
 */
export interface Act {
  readonly outcome: 'approve' | 'time_out' | 'time_out_lost' | CardRefusalCode;
  /** Answers `pending` at once, and settles after this much of the merchant's time. */
  readonly late_ms?: number;
}

/** Something that happens by itself, this much of the merchant's time after the payment was accepted or paid. */
export interface FollowUp {
  readonly after: 'accepted' | 'paid';
  readonly delay_ms: number;
  readonly happens: SimulatedOutcome;
  /** Only for payments of this method. */
  readonly method?: 'card' | 'pix';
}

/** What a payment is destined to, call by call; a call that is not named is approved. */
export interface Behaviour {
  /** The card's authorization, or the registration of a charge. */
  readonly authorize?: Act;
  readonly capture?: Act;
  readonly cancel?: Act;
  readonly refund?: Act;
  readonly networkToken?: Act;
  readonly followUps?: readonly FollowUp[];
  /** Every approval is also notified: before its answer, and once more after. */
  readonly notifiedTwice?: boolean;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const SHORTLY_MS = 10 * SECOND_MS;

const PAID: FollowUp = { after: 'accepted', delay_ms: SHORTLY_MS, happens: 'paid', method: 'pix' };
const DISPUTED: FollowUp = { after: 'paid', delay_ms: 2 * DAY_MS, happens: 'chargeback_requested' };

const NAMED = {
  approve: {},
  approve_late: { authorize: { outcome: 'approve', late_ms: SHORTLY_MS } },
  refuse_late: { authorize: { outcome: 'do_not_honor', late_ms: SHORTLY_MS } },
  time_out: { authorize: { outcome: 'time_out' } },
  time_out_lost: { authorize: { outcome: 'time_out_lost' } },
  notified_twice: { notifiedTwice: true, followUps: [PAID] },
  fraud_later: { followUps: [{ after: 'accepted', delay_ms: SHORTLY_MS, happens: 'fraud', method: 'card' }] },
  capture_fails: { capture: { outcome: 'processing_error' } },
  capture_late: { capture: { outcome: 'approve', late_ms: SHORTLY_MS } },
  capture_times_out: { capture: { outcome: 'time_out' } },
  cancel_fails: { cancel: { outcome: 'processing_error' } },
  cancel_late: { cancel: { outcome: 'approve', late_ms: SHORTLY_MS } },
  cancel_fails_late: { cancel: { outcome: 'processing_error', late_ms: SHORTLY_MS } },
  cancel_times_out: { cancel: { outcome: 'time_out' } },
  refund_fails: { refund: { outcome: 'processing_error' }, followUps: [PAID] },
  refund_late: { refund: { outcome: 'approve', late_ms: DAY_MS }, followUps: [PAID] },
  refund_fails_late: { refund: { outcome: 'processing_error', late_ms: DAY_MS }, followUps: [PAID] },
  refund_times_out: { refund: { outcome: 'time_out' }, followUps: [PAID] },
  disputed: { followUps: [PAID, DISPUTED] },
  disputed_won: {
    followUps: [PAID, DISPUTED, { after: 'paid', delay_ms: 4 * DAY_MS, happens: 'chargeback_won' }],
  },
  disputed_lost: {
    followUps: [PAID, DISPUTED, { after: 'paid', delay_ms: 4 * DAY_MS, happens: 'chargeback_lost' }],
  },
  network_token_fails: { networkToken: { outcome: 'do_not_honor' } },
  pays_itself: { followUps: [PAID] },
  expires_early: { followUps: [{ after: 'accepted', delay_ms: SHORTLY_MS, happens: 'expired' }] },
  refused_unpaid: { followUps: [{ after: 'accepted', delay_ms: SHORTLY_MS, happens: 'refused' }] },
} as const satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof NAMED | CardRefusalCode;

/** Every behaviour by its name; a refusal reason names the card whose every charge is refused for it. */
export const BEHAVIOURS: Readonly<Record<BehaviourName, Behaviour>> = {
  ...NAMED,
  ...(Object.fromEntries(
    CARD_REFUSAL_CODES.map((code) => [code, { authorize: { outcome: code } }]),
  ) as unknown as Record<CardRefusalCode, Behaviour>),
};
