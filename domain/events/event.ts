import type { EventObject } from './event-object.ts';

/** Something that happened. `data` is the resource as its GET answered then. */
export interface EventRecord {
  readonly id: string;
  readonly event: string;
  readonly objectType: EventObject;
  readonly objectId: string;
  readonly paymentId: string | null;
  readonly data: unknown;
  readonly createdAt: Date;
}
