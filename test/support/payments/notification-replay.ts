import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { WireNotification } from '../../../gateway/wire.ts';
import type { TestService } from '../service.ts';
import { deliver } from './notifications.ts';

interface QueuedNotification {
  readonly notification: WireNotification;
  isDelivered: boolean;
}

/**
 * Delivers the notifications of the simulated acquirer in its place: in any order, late, and more than once. Each is
 * true in the acquirer's records.
 */
export class NotificationReplay {
  readonly #service: TestService;
  readonly #account: string;
  readonly #queue: QueuedNotification[] = [];
  /** How far the service's clock is ahead of the machine's: signatures are checked by it. */
  ahead_ms = 0;

  constructor(service: TestService, account: string) {
    this.#service = service;
    this.#account = account;
  }

  /**
   * From now on, the simulated acquirer sends no notifications. They are recorded in the order in which it writes them.
   */
  static async replace(service: TestService): Promise<void> {
    await service.rows(
      'create table simulator.replayed (position bigserial primary key, account text, body text)',
    );
    await service.rows(`create function simulator.record() returns trigger language plpgsql as $$ begin
      insert into simulator.replayed (account, body) values (new.account, cast(new.body as text)); return null; end $$`);
    await service.rows(`create trigger record before insert on simulator.notifications
      for each row execute function simulator.record()`);
  }

  /** Collects the notifications that the acquirer has written since. */
  async collect(): Promise<void> {
    const rows = await this.#service.rows<{ body: string }>(
      `with collected as (delete from simulator.replayed where account = :account returning position, body)
       select body from collected order by position`,
      { account: this.#account },
    );
    for (const { body } of rows) this.#queue.push({ notification: JSON.parse(body), isDelivered: false });
  }

  /** Those that were not accepted yet, oldest first. */
  get waiting(): readonly WireNotification[] {
    return this.#queue.filter(({ isDelivered }) => !isDelivered).map(({ notification }) => notification);
  }

  /** Delivers one that was not accepted yet, if there is one. */
  async deliverOne(pick: number): Promise<void> {
    const waiting = this.#queue.filter(({ isDelivered }) => !isDelivered);
    const queued = waiting[pick % (waiting.length || 1)];
    if (queued !== undefined) await this.#deliver(queued);
  }

  /** Delivers all that were not accepted yet, newest first where `isReversed`. Resolves to how many still wait. */
  async deliverAll(isReversed: boolean): Promise<number> {
    const waiting = this.#queue.filter(({ isDelivered }) => !isDelivered);
    if (isReversed) waiting.reverse();
    for (const queued of waiting) await this.#deliver(queued);
    return waiting.filter(({ isDelivered }) => !isDelivered).length;
  }

  /**
   * Delivers one again, with the same id or with another. That of a dispute keeps its id, because a second update is
   * legal.
   */
  async repeatOne(pick: number, isRenamed: boolean): Promise<void> {
    const matching = this.#queue.filter(
      ({ notification, isDelivered }) =>
        isDelivered && !(isRenamed && notification.type.startsWith('chargeback.')),
    );
    const queued = matching[pick % (matching.length || 1)];
    if (queued === undefined) return;
    const notification = isRenamed ? { ...queued.notification, id: randomUUID() } : queued.notification;
    assert.equal(await this.send(notification), 204);
  }

  /** Posts a notification; the status of the answer. */
  send(notification: WireNotification): Promise<number> {
    return deliver(this.#service, notification, { age_ms: -this.ahead_ms });
  }

  async #deliver(queued: QueuedNotification): Promise<void> {
    const status = await this.send(queued.notification);
    assert.ok(status === 204 || status === 409, `${queued.notification.type}: ${status}`);
    if (status === 204) queued.isDelivered = true;
  }
}
