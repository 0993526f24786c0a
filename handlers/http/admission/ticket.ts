import type { ServerResponse } from 'node:http';
import { HttpRefusal } from '../refusal.ts';
import type { FairQueue, Turn } from './fair-queue.ts';
import { Overloaded } from './shedder.ts';
import { identified, type Tenant, type Tickets } from './tickets.ts';

/** Thrown to a request whose client closed the connection before its turn. */
export class ClientGone extends HttpRefusal {
  constructor() {
    super(400, { code: 'bad_request', message: 'The client closed the connection.' });
  }
}

/** What a request holds from its admission until its work is over and its answer is sent or its client has left. */
export class Ticket {
  readonly #response: ServerResponse;
  readonly #tickets: Tickets;
  readonly #queue: FairQueue;
  #tenant: Tenant;
  #turn: (Turn & { readonly giveUp: (reason: ClientGone) => void }) | undefined;
  #isWorkOver = false;
  #isHeld = true;

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

  /** Charges the ticket to the tenant that the caller has proved to be. Throws `Overloaded` when its quota is used up. */
  assign(name: string): void {
    if (this.#tenant.isIdentified && this.#tenant.name === name) return;
    if (this.#tickets.isQuotaUsedUp(name)) throw new Overloaded();
    this.#tickets.add(this.#tenant, -1);
    this.#tenant = identified(name);
    this.#tickets.add(this.#tenant, 1);
  }

  /**
   * Resolves when the request may run. Called once: when the caller is identified and the body is here, before the work.
   * Throws `ClientGone` when the client leaves before.
   */
  async turn(): Promise<void> {
    if (this.#response.destroyed) throw new ClientGone();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#turn = { tenant: this.#tenant.name, start: resolve, giveUp: reject };
    this.#queue.enter(this.#turn);
    await promise;
  }

  /** The work is over, and its answer, if there is one, is on its way. */
  end(): void {
    if (this.#turn !== undefined) this.#queue.end(this.#turn);
    this.#isWorkOver = true;
    this.#release();
  }

  /** The answer is sent, or the client has left. */
  close(): void {
    if (this.#turn !== undefined && this.#queue.cancel(this.#turn)) {
      this.#turn.giveUp(new ClientGone());
      this.#turn = undefined;
    }
    this.#release();
  }

  #release(): void {
    // A caller that is not identified holds no ticket by reading slowly: its answers are small, or shared by all.
    const isAnswerPending = this.#tenant.isIdentified && !this.#response.destroyed;
    if (!this.#isHeld || !this.#isWorkOver || isAnswerPending) return;
    this.#isHeld = false;
    this.#tickets.add(this.#tenant, -1);
  }
}
