import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../services/deps.ts';
import type { Waits } from '../../services/waits.ts';
import { standardHeaders } from './answer-headers.ts';
import { refusalAnswer } from './errors.ts';
import { KnownKeys } from './known-keys.ts';
import { Line, STRANGERS, type Turn } from './line.ts';
import type { Metrics } from './metrics.ts';
import { HttpRefusal } from './refusal.ts';

const RETRY_AFTER_OVERLOAD_S = 1;

/** The refusal of a request for which there is no room (503). */
export class Overloaded extends HttpRefusal {
  constructor() {
    super(503, {
      code: 'overloaded',
      message: 'Too many requests are being worked on. Try again shortly.',
      retryAfter_s: RETRY_AFTER_OVERLOAD_S,
    });
  }
}

/** A request's place in the room. */
export interface Place {
  /** In whose share it is: until the key has proved good, that of whoever used it last. */
  merchantId: string | undefined;
  readonly turn: Turn;
}

/** The part of the room that one merchant may fill; and all those together whose key has not proved good yet. */
const SHARE = 3 / 4;
/** The part that merchants with many requests may fill together: what is left is for those with few. */
const SHARE_OF_THE_BUSY = 7 / 8;
const FEW = 4;
/**
 * How long a client may take to read an answer, from the end of the work on. An answer that is read a few bytes at a time
 * would otherwise hold its place for hours: the server's own time-out starts again with each of them.
 */
const ANSWER_TIMEOUT_MS = 60_000;
/** A smaller room has no parts to keep. */
const SMALLEST_ROOM_WITH_PARTS = 16;
/** A crowd of refusals is one line of the log in this time. */
const LOG_EVERY_MS = 1_000;

/**
 * Refusals written one right after another: in a crowd they cost a fifth less than each at its time. No more, because Node
 * reads on from a connection until answers are queued on it: without an end, one turn of the event loop took in all that
 * 120 clients had in their pipelines, more than a heap of 768 MiB holds.
 */
const MOST_ANSWERED_TOGETHER = 64;

/**
 * Requests let in at once that do not wait for somebody else, of 256 in all: those at work, and those in line for it
 * (line.ts). More only wait longer. A merchant's share of them takes a burst of a hundred.
 */
const MOST_BEFORE_US = 144;

/**
 * The requests that were let in, and who may fill how much of the room. Requests that wait for a body that drips
 * in, or for an acquirer that is silent, take next to no work, but their places: 256 of them, for which one key's rate is
 * enough, kept every other merchant out for seconds before there were shares.
 */
export class Room {
  readonly #most: number;
  readonly #waits: Waits;
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #ofMerchant = new Map<string, number>();
  readonly #keys = new KnownKeys();
  readonly #refusal = asSent(new Overloaded());
  readonly #line: Line;
  /** In this turn of the event loop, and not answered yet. */
  #turnedAway: [IncomingMessage, ServerResponse][] = [];
  #inFlight = 0;
  #refusedSinceLine = 0;
  #lineAt_ms = Number.NEGATIVE_INFINITY;

  constructor(most: number, waits: Waits, metrics: Metrics, log: Log) {
    this.#most = most;
    this.#waits = waits;
    this.#line = new Line(waits);
    this.#metrics = metrics;
    this.#log = log;
    metrics.watch(
      'centavo_http_requests_queued',
      'Requests that wait for their turn.',
      () => this.#line.queued,
    );
    metrics.watch(
      'centavo_http_requests_working',
      'Requests that were started and are not answered yet.',
      () => this.#line.working,
    );
    metrics.watch(
      'centavo_http_requests_waiting',
      'Requests, and calls of background jobs, that wait for the acquirer, a name server or the rest of their body.',
      () => waits.of(),
    );
  }

  /**
   * Refuses a request that finds no room, before anything is spent on it: at twice the load that a process bears, what a
   * refusal costs is taken from those who are served. True when it will be answered.
   */
  turnAway(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#isFullFor(request.headers.authorization)) return false;
    if (this.#turnedAway.length === 0) setImmediate(() => this.#refuseThem());
    this.#turnedAway.push([request, response]);
    this.#countRefusal();
    if (this.#turnedAway.length === MOST_ANSWERED_TOGETHER) this.#refuseThem();
    return true;
  }

  #refuseThem(): void {
    const turnedAway = this.#turnedAway;
    this.#turnedAway = [];
    const { status, text, headers } = this.#refusal;
    for (const [request, response] of turnedAway) {
      response.writeHead(status, [...standardHeaders(request), ...headers]);
      response.end(request.method === 'HEAD' ? undefined : text);
    }
  }

  /**
   * Holds a place for a request until its work is over and its answer is sent or its client has left, whichever of the
   * two comes last. Starts the work when its turn comes; a client that leaves earlier gives the turn up. Closes the
   * connection of a client that does not read its answer in time.
   */
  enter(request: IncomingMessage, response: ServerResponse, work: (place: Place) => Promise<void>): void {
    // What ran before this may have waited. A response that has closed does not close again, so it would never release.
    if (response.destroyed) return;
    const merchantId = this.#keys.merchantOf(request.headers.authorization);
    const place: Place = { merchantId, turn: { merchantId: merchantId ?? STRANGERS } };
    let isHeld = true;
    let isWorking = false;
    const release = () => {
      // The answer to an unknown key takes no memory worth a place, and many may wait behind an answer that nobody reads.
      const isAnswerPending = place.merchantId !== undefined && !response.destroyed;
      if (!isHeld || isWorking || isAnswerPending) return;
      isHeld = false;
      this.#count(place, -1);
    };
    let giveUp = () => {};
    let timer: NodeJS.Timeout | undefined;
    this.#count(place, 1);
    response.once('close', () => {
      clearTimeout(timer);
      giveUp();
      release();
    });
    giveUp = this.#line.stand(place.turn, async () => {
      isWorking = true;
      try {
        await work(place);
      } finally {
        isWorking = false;
        release();
        // Of the connection: a response that waits behind another one does not have it yet.
        if (!response.destroyed)
          timer = setTimeout(() => request.socket.destroy(), ANSWER_TIMEOUT_MS).unref();
      }
    });
  }

  /** Counts a request for the merchant whose key has proved good. Throws `Overloaded` when the merchant has all it may. */
  enterShare(place: Place, merchantId: string, authorization: string | undefined): void {
    this.#keys.remember(authorization, merchantId);
    if (place.merchantId === merchantId) return;
    if (this.#isShareFull(merchantId)) throw new Overloaded();
    this.#count(place, -1);
    place.merchantId = merchantId;
    this.#count(place, 1);
  }

  /** For a key that has not proved good: its next requests are a stranger's. */
  forgetKey(authorization: string | undefined): void {
    this.#keys.forget(authorization);
  }

  /** Resolves when the request may be worked on in the name of the merchant whose share it is in: most often at once. */
  async goOn({ merchantId, turn }: Place): Promise<void> {
    if (merchantId !== undefined) await this.#line.goOn(turn, merchantId);
  }

  #isFullFor(authorization: string | undefined): boolean {
    if (this.#isFull(1)) return true;
    const merchantId = this.#keys.merchantOf(authorization);
    if (merchantId !== undefined && this.#isShareFull(merchantId)) return true;
    if (this.#most < SMALLEST_ROOM_WITH_PARTS) return false;
    if (merchantId === undefined) return this.#isFull(SHARE);
    const isBusy = (this.#ofMerchant.get(merchantId) ?? 0) >= FEW;
    return isBusy && this.#isFull(SHARE_OF_THE_BUSY);
  }

  #count({ merchantId }: Place, change: 1 | -1): void {
    this.#inFlight += change;
    this.#metrics.inFlight.set(this.#inFlight);
    if (merchantId === undefined) return;
    const count = (this.#ofMerchant.get(merchantId) ?? 0) + change;
    if (count === 0) this.#ofMerchant.delete(merchantId);
    else this.#ofMerchant.set(merchantId, count);
  }

  #isFull(part: number): boolean {
    return isFullOf(this.#inFlight, this.#waits.of(), this.#most, part);
  }

  #isShareFull(merchantId: string): boolean {
    const inFlight = this.#ofMerchant.get(merchantId) ?? 0;
    return isFullOf(inFlight, this.#waits.of(merchantId), this.#most, SHARE);
  }

  #countRefusal(): void {
    this.#metrics.shed.inc();
    this.#metrics.requests.inc({ operation: 'none', status: '503' });
    this.#refusedSinceLine += 1;
    const now_ms = performance.now();
    if (now_ms - this.#lineAt_ms < LOG_EVERY_MS) return;
    this.#log.warn(
      { refused: this.#refusedSinceLine, in_flight: this.#inFlight },
      'requests refused: no room',
    );
    this.#lineAt_ms = now_ms;
    this.#refusedSinceLine = 0;
  }
}

/** Whether so many requests, of which some wait, fill a part of the room. */
function isFullOf(inFlight: number, waiting: number, most: number, part: number): boolean {
  const beforeUs = inFlight - waiting;
  return inFlight >= Math.ceil(most * part) || beforeUs >= Math.ceil(Math.min(most, MOST_BEFORE_US) * part);
}

function asSent(refusal: HttpRefusal): { status: number; text: string; headers: readonly string[] } {
  const { status, body, headers } = refusalAnswer(refusal, undefined);
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  const content = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', length];
  return { status, text, headers: [...Object.entries(headers).flat(), ...content] };
}
