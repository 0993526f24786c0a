import type { Connection, Send } from './statements.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Has a connection broken on which an answer is overdue: Postgres itself ends a statement that takes too long, so most
 * likely it is the way to it that is gone. One look a second at all of them together, in place of pg's own timer for each statement:
 * those kept every answer in memory until long after it was given, a quarter of what a page of a list cost.
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

/** All that was sent on it fails. */
function breakOff(connection: Connection): void {
  const { stream } = (
    connection as unknown as { connection: { stream: NodeJS.ReadableStream & Destroyable } }
  ).connection;
  const error = new Error('The database has not answered in time.');
  stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
}

interface Destroyable {
  destroy(error: Error): void;
}
