import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Admission } from '../../../handlers/http/admission/admission.ts';
import { Overloaded } from '../../../handlers/http/admission/shedder.ts';
import type { Ticket } from '../../../handlers/http/admission/ticket.ts';
import { byAddress } from '../../../handlers/http/admission/tickets.ts';
import { createMetrics } from '../../../handlers/http/metrics.ts';
import { UpstreamCalls } from '../../../services/upstream-calls.ts';

export const SILENT = { info() {}, warn() {}, error() {} };

interface Arrival {
  /** A merchant that is known before its key is looked up; without one the caller is known by its address alone. */
  readonly known?: string;
  /** The merchant that the look-up of the key finds. */
  readonly found?: string;
  readonly address?: string;
  readonly hasLeft?: boolean;
}

export interface Admitted {
  readonly ticket: Ticket;
  /** The client disconnects; the work continues. */
  leave(): void;
  /** The work has ended and the answer was sent. */
  finish(): Promise<void>;
  /** The work has ended, and so many bytes of the answer are unread. */
  answer(unreadBytes: number): Promise<void>;
}

/** An admission control, and requests that arrive there. */
export class Requests {
  readonly upstreamCalls = new UpstreamCalls();
  readonly #admission: Admission;

  constructor(limit: number) {
    this.#admission = new Admission({
      limit,
      upstreamCalls: this.upstreamCalls,
      metrics: createMetrics(),
      log: SILENT,
    });
  }

  /** Resolves once for one request; false when it is refused. */
  arrive({ known, found, address = '192.0.2.1', hasLeft = false }: Arrival): Admitted | false {
    // The service closes the connection of an answer that is not read in time, perhaps after the test.
    const socket = { remoteAddress: address, destroy: () => leave() };
    const request = { headers: {}, method: 'GET', socket } as unknown as IncomingMessage;
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      writableEnded: true,
      writableLength: 0,
      writeHead() {},
      end() {},
    });
    const tenant = known ?? byAddress(request);
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      response.destroyed = true;
      response.emit('close');
    };
    const answer = async (unreadBytes: number) => {
      response.writableLength = unreadBytes;
      resolve();
      await new Promise(setImmediate);
    };
    const finish = async () => {
      const isAnswered = answer(0);
      leave();
      await isAnswered;
    };
    if (hasLeft) leave();
    let admitted: Admitted | false = false;
    this.#admission.admit(request, response as unknown as ServerResponse, tenant, async (ticket) => {
      try {
        if (found !== undefined) ticket.assign(found);
        admitted = { ticket, leave, finish, answer };
        await isOver;
      } catch (error) {
        assert.ok(error instanceof Overloaded);
        leave();
      }
    });
    return admitted;
  }

  of(merchantId: string): Admitted | false {
    return this.arrive({ known: merchantId, found: merchantId });
  }

  /** Adds requests until one is refused. Each of them waits for the acquirer or not. */
  fill(arrival: Arrival, { upstream = false } = {}): Admitted[] {
    const admitted: Admitted[] = [];
    for (let one = this.arrive(arrival); one !== false; one = this.arrive(arrival)) {
      admitted.push(one);
      if (upstream) void this.upstreamCalls.track(arrival.known!, new Promise(() => {}));
    }
    return admitted;
  }
}
