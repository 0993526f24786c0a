import type { MerchantScope } from '../scope.ts';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** The name of the event of a ping, which a merchant requests and which is not about a record. */
export const PING = 'ping';

/** The maximum of attempts that a delivery stores. The oldest are dropped. */
export const MAX_KEPT_ATTEMPTS = 50;

export interface DeliveryError {
  readonly code: string;
  /** A sentence for the merchant. */
  readonly message: string;
}

/** One request to the receiver. */
export interface DeliveryAttempt {
  readonly attemptedAt: Date;
  readonly duration_ms: number;
  /** Null if there was no answer. */
  readonly responseStatus: number | null;
  /** Null if it succeeded. */
  readonly error: DeliveryError | null;
}

/** The delivery of one event to one destination. Its times are wall time. */
export interface Delivery {
  readonly id: string;
  /** Null for a notification URL. */
  readonly endpointId: string | null;
  /** The address to which it was sent last, or will be sent. */
  readonly url: string;
  readonly event: string;
  /** Null for a ping. */
  readonly eventId: string | null;
  readonly status: DeliveryStatus;
  readonly error: DeliveryError | null;
  /** Null unless it is pending. */
  readonly nextAttemptAt: Date | null;
  /** How many attempts were made since it was created, or since the merchant requested it again. */
  readonly scheduleStep: number;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The beginning of the last answer. */
  readonly responseBody: string | null;
  readonly createdAt: Date;
}

/** The pending deliveries of one destination. One process at a time works on it. */
export interface DeliveryQueue extends MerchantScope {
  /** The endpoint's id, or an id derived from the origin of a notification URL. */
  readonly queueId: string;
}
