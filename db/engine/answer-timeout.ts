import { socketOf } from './pg-internals.ts';
import type { Connection, Send } from './statements.ts';

const CHECK_INTERVAL_MS = 1_000;

/**
 * Wraps `send` so that a connection is closed when an answer takes longer than `limit_ms`. Postgres ends slow
 * statements itself, so the network is probably down. All connections are checked once a second. pg's own timer for
 * each statement keeps each answer in memory until the timer ends, and took a quarter of the time of a page of a list.
 */
export function withAnswerTimeout(send: Send, limit_ms: number): { readonly send: Send; stop(): void } {
  /**
   * For each connection, how many checks had run when each unanswered statement was sent, the oldest statement first.
   * Statements are answered in this order.
   */
  const unanswered = new Map<Connection, number[]>();
  let checks = 0;

  function check(): void {
    checks += 1;
    for (const [connection, sentAt] of unanswered) {
      const [oldest] = sentAt;
      if (oldest === undefined) unanswered.delete(connection);
      // One more, because a statement may be sent right before a check.
      else if ((checks - oldest - 1) * CHECK_INTERVAL_MS >= limit_ms) closeWithTimeout(connection);
    }
  }

  const timer = setInterval(check, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    send(connection, text, values) {
      let sentAt = unanswered.get(connection);
      if (sentAt === undefined) {
        sentAt = [];
        unanswered.set(connection, sentAt);
      }
      sentAt.push(checks);
      const answer = send(connection, text, values);
      const answered = () => void sentAt.shift();
      answer.then(answered, answered);
      return answer;
    },
    stop: () => clearInterval(timer),
  };
}

/** Fails all statements that were sent on the connection and not answered. */
function closeWithTimeout(connection: Connection): void {
  const error = new Error('The database has not answered in time.');
  socketOf(connection).destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
}
