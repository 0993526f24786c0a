import type { ServerResponse } from 'node:http';
import { HttpRefusal } from '../refusal.ts';
import type { FairQueue } from './fair-queue.ts';
import { Overloaded } from './shedder.ts';
import { isIdentified, type Tenant, type Tickets } from './tickets.ts';
import type { Turn } from './waiting-turns.ts';

/** Thrown when the client closes the connection before its request runs. */
export class ClientGone extends HttpRefusal {
  constructor() {
    super(400, { code: 'bad_request', message: 'The client closed the connection.' });
  }
}

/** What a request holds from its admission until its work is done and its answer is sent or its client disconnects. */
export class Ticket {
  readonly #response: ServerResponse;
  readonly #tickets: Tickets;
  readonly #queue: FairQueue;
  #tenant: Tenant;
  #turn: (Turn & { readonly cancel: (reason: ClientGone) => void }) | undefined;
  #isWorkDone = false;
  #isHeld = true;
  #unreadBytes = 0;
  #disconnecting: AbortController | undefined;

  constructor(response: ServerResponse, tenant: Tenant, tickets: Tickets, queue: FairQueue) {
    this.#response = response;
    this.#tickets = tickets;
    this.#queue = queue;
    this.#tenant = tenant;
    tickets.add(tenant, 1);
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Aborted when the client disconnects. */
  get disconnected(): AbortSignal {
    this.#disconnecting ??= new AbortController();
    if (this.#response.destroyed) this.#disconnecting.abort();
    return this.#disconnecting.signal;
  }

  /**
   * Charges the ticket to the tenant that the caller has proved to be. Throws `Overloaded` when its quota is used up.
   */
  assign(tenant: Tenant): void {
    if (this.#tenant === tenant) return;
    if (this.#tickets.isQuotaUsedUp(tenant)) throw new Overloaded();
    this.#tickets.add(this.#tenant, -1);
    this.#tenant = tenant;
    this.#tickets.add(tenant, 1);
  }

  /**
   * Resolves when the request may run. Call it when the caller is identified and the body is received; later calls
   * resolve at once. Throws `ClientGone` when the client disconnects first, and `Overloaded` when the tenant has too
   * many bytes of answers unread.
   */
  async turn(): Promise<void> {
    if (this.#response.destroyed) throw new ClientGone();
    if (this.#turn !== undefined) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#turn = { tenant: this.#tenant, start: resolve, cancel: reject };
    this.#queue.enter(this.#turn);
    await promise;
    if (this.#tickets.areTooManyBytesUnread(this.#tenant)) throw new Overloaded();
  }

  /** Call it when the work is done. The answer may still be on its way to the client. */
  end(): void {
    if (this.#turn !== undefined) this.#queue.end(this.#turn);
    this.#isWorkDone = true;
    this.#unreadBytes = this.#response.writableLength;
    this.#tickets.addUnreadBytes(this.#tenant, this.#unreadBytes);
    this.#release();
  }

  /** Call it when the answer is sent or the client has disconnected. */
  close(): void {
    this.#disconnecting?.abort();
    if (this.#turn !== undefined && this.#queue.cancel(this.#turn)) {
      this.#turn.cancel(new ClientGone());
      this.#turn = undefined;
    }
    this.#release();
  }

  #release(): void {
    const { writableEnded, destroyed } = this.#response;
    // Answers to callers that are not identified are small or shared, so reading them slowly costs no memory. A stream
    // of events is not ended yet: it needs no ticket.
    const isAnswerPending = isIdentified(this.#tenant) && writableEnded && !destroyed;
    if (!this.#isHeld || !this.#isWorkDone || isAnswerPending) return;
    this.#isHeld = false;
    this.#tickets.add(this.#tenant, -1);
    this.#tickets.addUnreadBytes(this.#tenant, -this.#unreadBytes);
  }
}
