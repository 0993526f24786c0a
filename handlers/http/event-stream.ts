import type { ServerResponse } from 'node:http';
import type { Log } from '../../services/deps.ts';
import type { AnswerStream } from './handler.ts';

/** The headers of a stream of events. Without the last one, nginx would keep events until it has some kilobytes. */
export const STREAM_HEADERS = ['Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no'];

/** Sends the events of a stream until it ends or the client disconnects. */
export async function sendStream(
  response: ServerResponse,
  stream: AnswerStream,
  headers: string[],
  log: Log,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  if (response.destroyed || response.req.method === 'HEAD') closed.abort();
  if (!response.destroyed) response.writeHead(200, headers);
  try {
    await stream((text) => response.write(text), closed.signal);
  } catch (error) {
    log.warn({ err: error }, 'a stream of events ended early');
  }
  response.end();
}
