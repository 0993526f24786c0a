import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Agent, request } from 'undici';
import { SIGNATURE_HEADER, sign } from '../signature.ts';
import {
  acceptNotification,
  claimNotifications,
  countWaiting,
  postponeNotification,
  type WaitingNotification,
} from './notifications.ts';

/** Receives only failures, and never the fields of a request, because they contain card data. */
export interface SimulatorLog {
  error(fields: object, message: string): void;
}

/** Sends the notifications of the table. All times here are wall time. */
export interface Outbox {
  /** Sends each due notification once, of the account or of all (null). Returns how many were accepted. */
  sendDue(account: string | null): Promise<number>;
  /**
   * Sends the account's notifications until those in `ids` (null: all that have failed less than 4 times) are accepted,
   * or until the time is over. Returns how many of them are still waiting.
   */
  drain(account: string, ids: readonly string[] | null, timeout_ms: number): Promise<number>;
  close(): Promise<void>;
}

/** If the receiver takes longer, the notification is sent again. The receiver ignores an id that it knows. */
const SEND_TIMEOUT_MS = 5_000;
/** Longer than sending takes. After this time, another process takes over. */
const LEASE_MS = 8_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 10_000;
/** About three hours, if the receiver cannot be reached: longer than `wire.ts` requires. */
const MAX_ATTEMPTS = 1_000;
/** Failures of a notification are logged from this one on. Before, the receiver may still be starting. */
const ATTEMPTS_BEFORE_LOGGING = 6;
const COPY_AFTER_MS = 250;
const BATCH = 50;

/** The outbox of the table of notifications. Nothing is sent while `url` returns null. */
export function outbox(pool: pg.Pool, secret: string, url: () => string | null, log: SimulatorLog): Outbox {
  const agent = new Agent({ connections: 16, maxResponseSize: 64 * 1024 });

  async function send(to: string, waiting: WaitingNotification): Promise<boolean> {
    const accepted = await isAccepted({ agent, secret, to }, waiting.body);
    if (accepted) {
      await acceptNotification(pool, waiting, new Date(Date.now() + COPY_AFTER_MS));
    } else {
      if (waiting.attempts === ATTEMPTS_BEFORE_LOGGING) {
        log.error(
          { url: to, notification: waiting.id },
          'a notification of the simulated acquirer is not accepted',
        );
      }
      const wait_ms = Math.min(FIRST_RETRY_MS * 2 ** Math.min(waiting.attempts - 1, 10), LAST_RETRY_MS);
      const next = waiting.attempts >= MAX_ATTEMPTS ? null : new Date(Date.now() + wait_ms);
      await postponeNotification(pool, waiting, next);
    }
    return accepted;
  }

  async function sendDue(account: string | null): Promise<number> {
    const to = url();
    if (!to) return 0;
    const now = new Date();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const claimed = await claimNotifications(pool, { account, now, leasedUntil, limit: BATCH });
    const accepted = await Promise.all(claimed.map((waiting) => send(to, waiting)));
    return accepted.filter(Boolean).length;
  }

  return {
    sendDue,
    async drain(account, ids, timeout_ms) {
      const deadline = Date.now() + timeout_ms;
      // Usually none is waiting, and a count costs less than a claim.
      if (ids === null && (await countWaiting(pool, account, null)) === 0) return 0;
      for (;;) {
        await sendDue(account);
        const waiting = await countWaiting(pool, account, ids);
        // Without an address no notification can be accepted.
        if (waiting === 0 || url() === null || Date.now() >= deadline) return waiting;
        await delay(10);
      }
    },
    close: () => agent.destroy(),
  };
}

interface Receiver {
  readonly agent: Agent;
  readonly secret: string;
  readonly to: string;
}

async function isAccepted({ agent, secret, to }: Receiver, body: string): Promise<boolean> {
  try {
    const answer = await request(to, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: sign(secret, Date.now(), body),
      },
      body,
    });
    await answer.body.dump();
    return answer.statusCode >= 200 && answer.statusCode < 300;
  } catch {
    return false;
  }
}
