import { DAY_MS } from '../durations.ts';
import type { Faults } from './faults.ts';

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** In a list of events, means all events, including those of later versions. */
export const ALL_EVENTS = '*';

/** The maximum of endpoints of a merchant (contract row 13.21). */
export const MAX_ENDPOINTS = 20;

/** How long an endpoint may fail before it is disabled (contract row 9.4). */
export const DISABLE_AFTER_MS = 5 * DAY_MS;

/** How long the previous secret also signs after a rotation (contract row 9.1). */
export const PREVIOUS_SECRET_MS = DAY_MS;

/** An address to which events are delivered. Its times are wall time. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** Names of events, or `ALL_EVENTS`. */
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: EndpointStatus;
  /** Set if the service has disabled it. */
  readonly disabledReason: string | null;
  /** Whether it has a secret. */
  readonly signed: boolean;
  readonly previousSecretExpiresAt: Date | null;
  /** The time of the first failed attempt after the last success; null when no delivery is pending any more. */
  readonly failingSince: Date | null;
  /** Set in the sandbox. Null: none. */
  readonly faults: Faults | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether an endpoint has subscribed to the event. */
export function wantsEvent({ events }: Pick<Endpoint, 'events'>, event: string): boolean {
  return events.includes(ALL_EVENTS) || events.includes(event);
}
