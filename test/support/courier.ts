import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { WireNotification } from '../../gateway/wire.ts';
import type { MoneyService } from './money-service.ts';
import { deliver } from './notifications.ts';

interface Letter {
  readonly told: WireNotification;
  isDelivered: boolean;
}

/**
 * Carries the simulated acquirer's notifications in its place: in any order, late, and more than once. Each says what is
 * true in the acquirer's books.
 */
export class Courier {
  readonly #service: MoneyService;
  readonly #account: string;
  readonly #letters: Letter[] = [];
  /** How far the service's clock is ahead of the machine's: signatures are checked by it. */
  ahead_ms = 0;

  constructor(service: MoneyService, account: string) {
    this.#service = service;
    this.#account = account;
  }

  /** From now on the acquirer writes its notifications, and sends none. */
  static async replace(service: MoneyService): Promise<void> {
    await service.rows(`
      create function simulator.keep() returns trigger language plpgsql
        as 'begin new.next_attempt_at := null; return new; end'`);
    await service.rows(`
      create trigger keep before insert on simulator.notifications
        for each row execute function simulator.keep()`);
  }

  /** Collects what the acquirer has written since. */
  async collect(): Promise<void> {
    const rows = await this.#service.rows<{ body: string }>(
      'delete from simulator.notifications where account = :account returning body',
      { account: this.#account },
    );
    for (const { body } of rows) this.#letters.push({ told: JSON.parse(body), isDelivered: false });
  }

  /** Delivers one that was not taken in yet, if there is one. */
  async deliverOne(pick: number): Promise<void> {
    const waiting = this.#letters.filter(({ isDelivered }) => !isDelivered);
    const letter = waiting[pick % (waiting.length || 1)];
    if (letter !== undefined) await this.#deliver(letter);
  }

  /** Delivers every one that was not taken in yet, newest first where `isReversed`; resolves to how many still wait. */
  async deliverAll(isReversed: boolean): Promise<number> {
    const waiting = this.#letters.filter(({ isDelivered }) => !isDelivered);
    if (isReversed) waiting.reverse();
    for (const letter of waiting) await this.#deliver(letter);
    return waiting.filter(({ isDelivered }) => !isDelivered).length;
  }

  /** Delivers one again: word for word, or under another id. A dispute may well have news twice, so it is not renamed. */
  async repeatOne(pick: number, isRenamed: boolean): Promise<void> {
    const letters = this.#letters.filter(
      ({ told, isDelivered }) => isDelivered && !(isRenamed && told.type.startsWith('chargeback.')),
    );
    const letter = letters[pick % (letters.length || 1)];
    if (letter === undefined) return;
    const told = isRenamed ? { ...letter.told, id: randomUUID() } : letter.told;
    assert.equal(await this.send(told), 204);
  }

  /** Posts a notification; the status of the answer. */
  send(told: WireNotification): Promise<number> {
    return deliver(this.#service, told, { age_ms: -this.ahead_ms });
  }

  async #deliver(letter: Letter): Promise<void> {
    const status = await this.send(letter.told);
    assert.ok(status === 204 || status === 409, `${letter.told.type}: ${status}`);
    if (status === 204) letter.isDelivered = true;
  }
}
