import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request, type TestAnswer } from '../../support/service.ts';
import type { Shop } from '../../support/shop.ts';

/** A POST under its Idempotency-Key, and the final answer that its client got; null if it got none. */
export interface Entry {
  readonly shop: Shop;
  readonly path: string;
  readonly body: object;
  readonly key: string;
  /** The network address of a buyer, who has no API key; absent for a merchant. */
  readonly address?: string | undefined;
  answer: TestAnswer | null;
}

const RETRY_PAUSE_MS = 100;
/** A request of a killed process can be repeated after half a minute. Until then its client sends other requests. */
const MAX_TRIES = 20;
const FINAL = [200, 201, 422];
/** The service or its database is restarting, or another run of the same request has not ended. */
const TRY_AGAIN = [409, 503];

/** All requests of all clients, with their answers. */
export class Journal {
  readonly entries: Entry[] = [];
  /** Answers that no client should ever get, such as a 500. */
  readonly faults: string[] = [];
  /** How many requests got each status; `none`: the connection broke. */
  readonly answers = new Map<number | 'none', number>();
  /** The number of final answers. */
  final = 0;
  readonly #url: string;
  #isOver = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** From now on, requests without a final answer are not repeated. */
  end(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a request until it gets a final answer or has been sent `tries` times. Null: there was no final answer. */
  async ask(
    shop: Shop,
    path: string,
    body: object = {},
    { tries = MAX_TRIES, address }: { readonly tries?: number | undefined; readonly address?: string } = {},
  ): Promise<TestAnswer | null> {
    const entry: Entry = { shop, path, body, key: randomUUID(), address, answer: null };
    this.entries.push(entry);
    for (let left = tries; left > 0 && !this.#isOver; left -= 1) {
      entry.answer = await this.send(entry, this.#url);
      if (entry.answer !== null) break;
      await pause(RETRY_PAUSE_MS);
    }
    return entry.answer;
  }

  /** Sends a request once. Null: there is no final answer. */
  async send({ shop, path, body, key, address }: Entry, url: string): Promise<TestAnswer | null> {
    const answer = await request(url, address === undefined ? shop.onboarded.apiKey : null, 'POST', path, {
      body,
      ...(address !== undefined && { headers: { 'x-forwarded-for': address } }),
      idempotencyKey: key,
    }).catch((error: unknown) => {
      // The connection broke, or the answer is not in the contract.
      if (error instanceof AssertionError) this.faults.push(`POST ${path}: ${error.message}`);
      return null;
    });
    const status = answer?.status ?? 'none';
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (answer === null || TRY_AGAIN.includes(answer.status)) return null;
    if (!FINAL.includes(answer.status)) {
      this.faults.push(`POST ${path}: ${answer.status} ${answer.text}`);
      return null;
    }
    this.final += 1;
    return answer;
  }
}
