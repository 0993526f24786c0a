import { findEvents, findEventsOfSlot } from '../../db/events/events.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

/** The maximum of events whose bodies are cached. The oldest ones are evicted first. */
const MAX_CACHED = 1_000;

/** What one statement has read. An event that does not exist is left out. */
type Loading = Promise<ReadonlyMap<string, Buffer>>;

/**
 * The bodies of deliveries. An event has one body for all endpoints, so the queues of a merchant, which deliver the
 * same events at about the same time, read and serialize each event once.
 */
export class EventBodies {
  readonly #deps: Pick<Deps, 'db' | 'present' | 'environment'>;
  /** By the id of the event. */
  readonly #cached = new Map<string, Loading>();

  constructor(deps: Pick<Deps, 'db' | 'present' | 'environment'>) {
    this.#deps = deps;
  }

  /** Reads bodies for merchants of one slot in one statement. */
  async preload(
    slot: number,
    events: readonly { readonly merchantId: string; readonly eventId: string }[],
  ): Promise<void> {
    const unknown = new Map(
      events.filter(({ eventId }) => !this.#cached.has(eventId)).map((event) => [event.eventId, event]),
    );
    if (unknown.size === 0) return;
    await this.#load([...unknown.keys()], findEventsOfSlot(this.#deps.db, slot, [...unknown.values()]));
  }

  /** The bodies of events of a merchant, in the order of `eventIds`; undefined for an event that does not exist. */
  async of(scope: MerchantScope, eventIds: readonly string[]): Promise<(Buffer | undefined)[]> {
    const cached = eventIds.map((id) => this.#cached.get(id));
    const unknown = eventIds.filter((_, i) => cached[i] === undefined);
    const added =
      unknown.length === 0 ? undefined : this.#load(unknown, findEvents(this.#deps.db, scope, unknown));
    const sources = cached.map((source) => source ?? added!);
    const loaded = new Map<Loading, ReadonlyMap<string, Buffer>>();
    for (const source of new Set(sources)) loaded.set(source, await source);
    return eventIds.map((id, i) => loaded.get(sources[i]!)!.get(id));
  }

  /** Empties the cache, so that an event which was deleted is not delivered later. */
  clear(): void {
    this.#cached.clear();
  }

  #load(ids: readonly string[], reading: Promise<readonly EventRecord[]>): Loading {
    const loading = reading.then((events) => new Map(events.map((event) => [event.id, this.#bodyOf(event)])));
    for (const id of ids) this.#cached.set(id, loading);
    loading.catch(() => {
      for (const id of ids) if (this.#cached.get(id) === loading) this.#cached.delete(id);
    });
    for (const id of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED) break;
      this.#cached.delete(id);
    }
    return loading;
  }

  #bodyOf(event: EventRecord): Buffer {
    const { present, environment } = this.#deps;
    return Buffer.from(JSON.stringify(present.event(event, environment)));
  }
}
