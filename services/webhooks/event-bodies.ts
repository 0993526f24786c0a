import { findStoredEvents, findStoredEventsOfSlot, type StoredEvent } from '../../db/events/events.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

/** The maximum size of the bodies that are cached. Those that were read first are evicted first. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** What one statement reads. An event that does not exist is left out. */
type Loading = Promise<ReadonlyMap<string, Buffer>>;

/**
 * The bodies of deliveries. An event has one body for all endpoints, so the queues of a merchant, which deliver the
 * same events at about the same time, read and serialize each event once.
 */
export class EventBodies {
  readonly #deps: Pick<Deps, 'db' | 'present' | 'environment'>;
  /** By the id of the event, as all maps here. */
  readonly #cached = new Map<string, Buffer>();
  readonly #loading = new Map<string, Loading>();
  #size = 0;

  constructor(deps: Pick<Deps, 'db' | 'present' | 'environment'>) {
    this.#deps = deps;
  }

  /** Reads bodies for merchants of one slot in one statement. */
  async preload(
    slot: number,
    events: readonly { readonly merchantId: string; readonly eventId: string }[],
  ): Promise<void> {
    const unknown = new Map(
      events.filter(({ eventId }) => !this.#isKnown(eventId)).map((event) => [event.eventId, event]),
    );
    if (unknown.size === 0) return;
    await this.#load([...unknown.keys()], findStoredEventsOfSlot(this.#deps.db, slot, [...unknown.values()]));
  }

  /** The bodies of events of a merchant that exist. */
  async of(scope: MerchantScope, eventIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const bodies = new Map<string, Buffer>();
    const loading = new Set<Loading>();
    const unknown: string[] = [];
    for (const id of eventIds) {
      const body = this.#cached.get(id);
      const source = this.#loading.get(id);
      if (body !== undefined) bodies.set(id, body);
      else if (source !== undefined) loading.add(source);
      else unknown.push(id);
    }
    if (unknown.length > 0) loading.add(this.#load(unknown, findStoredEvents(this.#deps.db, scope, unknown)));
    for (const loaded of await Promise.all(loading)) {
      for (const [id, body] of loaded) bodies.set(id, body);
    }
    return bodies;
  }

  /** Empties the cache, so that an event which was deleted is not delivered later. */
  clear(): void {
    this.#cached.clear();
    this.#size = 0;
  }

  #isKnown(id: string): boolean {
    return this.#cached.has(id) || this.#loading.has(id);
  }

  #load(ids: readonly string[], reading: Promise<readonly StoredEvent[]>): Loading {
    const loading = reading.then((events) => new Map(events.map((event) => [event.id, this.#bodyOf(event)])));
    for (const id of ids) this.#loading.set(id, loading);
    const ended = () => {
      for (const id of ids) if (this.#loading.get(id) === loading) this.#loading.delete(id);
    };
    loading.then((bodies) => {
      ended();
      this.#keep(bodies);
    }, ended);
    return loading;
  }

  #keep(bodies: ReadonlyMap<string, Buffer>): void {
    for (const [id, body] of bodies) {
      if (this.#cached.has(id)) continue;
      this.#cached.set(id, body);
      this.#size += body.length;
    }
    for (const [id, body] of this.#cached) {
      if (this.#size <= MAX_CACHED_BYTES) return;
      this.#cached.delete(id);
      this.#size -= body.length;
    }
  }

  /** `data` is inserted as it was written, because parsing and serializing it again costs more than all else. */
  #bodyOf({ dataJson, ...event }: StoredEvent): Buffer {
    const { present, environment } = this.#deps;
    const { data: _, ...fields } = present.event({ ...event, data: null }, environment);
    return Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"data":${dataJson}}`);
  }
}
