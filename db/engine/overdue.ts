import { socketOf } from './pg-internals.ts';
import type { Connection, Send } from './statements.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Breaks a connection on which an answer is overdue. Postgres itself ends a statement that takes too long, so most likely
 * the network is down. All connections are checked together once a second. A timer of pg for each statement would keep
 * every answer in memory until long after it was given, which is a quarter of the cost of a page of a list.
 */
export function inTime(send: Send, limit_ms: number): { readonly send: Send; stop(): void } {
  /** Of each connection, at which look its statements were sent: the oldest first, as they are answered. */
  const underWay = new Map<Connection, number[]>();
  let looks = 0;

  function look(): void {
    looks += 1;
    for (const [connection, sentAt] of underWay) {
      const [oldest] = sentAt;
      if (oldest === undefined) underWay.delete(connection);
      // One more, since a statement may be sent right before a look.
      else if ((looks - oldest - 1) * LOOK_EVERY_MS >= limit_ms) breakOff(connection);
    }
  }

  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    send(connection, text, values) {
      let sentAt = underWay.get(connection);
      if (sentAt === undefined) {
        sentAt = [];
        underWay.set(connection, sentAt);
      }
      sentAt.push(looks);
      const answer = send(connection, text, values);
      const answered = () => void sentAt.shift();
      answer.then(answered, answered);
      return answer;
    },
    stop: () => clearInterval(timer),
  };
}

/** Fails all statements that were sent on the connection. */
function breakOff(connection: Connection): void {
  const error = new Error('The database has not answered in time.');
  socketOf(connection).destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
}
