import { DAY_MS } from '../durations.ts';
import type { Faults } from './faults.ts';

export type EndpointStatus = 'active' | 'disabled';

/** In a list of events, means all events, including those of later versions. */
const ALL_EVENTS = '*';

/** The maximum of endpoints of a merchant (contract row 13.21). */
export const MAX_ENDPOINTS = 20;

/** How long an endpoint may fail before it is disabled (contract row 9.4). */
export const DISABLE_AFTER_MS = 5 * DAY_MS;

/** How long the previous secret also signs after a rotation (contract row 9.1). */
export const PREVIOUS_SECRET_MS = DAY_MS;

type Failures = Pick<Endpoint, 'failingSince' | 'idleSince'>;

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
  /**
   * The time of the first failed attempt after the last success, later by the time in which no delivery was pending;
   * null: the last attempt succeeded.
   */
  readonly failingSince: Date | null;
  /** If the endpoint fails: since when no delivery is pending; null: one is. */
  readonly idleSince: Date | null;
  /** Set in the sandbox. Null: none. */
  readonly faults: Faults | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Since when an endpoint fails whose attempts have failed at `at`. The time without attempts does not count. */
export function failingSinceAt({ failingSince, idleSince }: Failures, at: Date): Date {
  if (failingSince === null || idleSince === null) return failingSince ?? at;
  return new Date(failingSince.getTime() + at.getTime() - idleSince.getTime());
}

/** Whether an endpoint has subscribed to the event. */
export function wantsEvent({ events }: Pick<Endpoint, 'events'>, event: string): boolean {
  return events.includes(ALL_EVENTS) || events.includes(event);
}
