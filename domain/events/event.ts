import type { EventObject } from './event-object.ts';

/** An event. `data` is the resource as a GET returned it at that time. */
export interface EventRecord {
  readonly id: string;
  readonly event: string;
  readonly objectType: EventObject;
  readonly objectId: string;
  readonly paymentId: string | null;
  readonly data: unknown;
  readonly createdAt: Date;
}
