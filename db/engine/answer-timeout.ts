import { socketOf } from './pg-internals.ts';
import type { Connection, Send } from './statements.ts';

const CHECK_INTERVAL_MS = 1_000;

/**
 * Wraps `send` so that a connection is closed when an answer takes longer than `limit_ms`. Postgres ends slow statements
 * itself, so the network is probably down. All connections are checked once a second. With a timer of pg for each
 * statement, every answer would stay in memory until its timer ends; that is a quarter of the cost of a page of a list.
 */
export function withAnswerTimeout(send: Send, limit_ms: number): { readonly send: Send; stop(): void } {
  /**
   * By connection, the check before which each statement was sent, the oldest first: statements are answered in this order.
   */
  const underWay = new Map<Connection, number[]>();
  let checks = 0;

  function check(): void {
    checks += 1;
    for (const [connection, sentAt] of underWay) {
      const [oldest] = sentAt;
      if (oldest === undefined) underWay.delete(connection);
      // One more, because a statement may be sent right before a check.
      else if ((checks - oldest - 1) * CHECK_INTERVAL_MS >= limit_ms) closeWithTimeout(connection);
    }
  }

  const timer = setInterval(check, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    send(connection, text, values) {
      let sentAt = underWay.get(connection);
      if (sentAt === undefined) {
        sentAt = [];
        underWay.set(connection, sentAt);
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
