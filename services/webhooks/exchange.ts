import type { Dispatcher } from 'undici';

export interface Limits {
  readonly timeout_ms: number;
  readonly maxAnswer_bytes: number;
}

export interface LimitedAnswer {
  readonly status: number;
  /** The beginning of the body. */
  readonly body: Buffer;
  /** Whether the answer was longer. Its rest was not read. */
  readonly isCut: boolean;
}

export type Request = Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'headers' | 'body'>;

/** Most answers are empty or come in one piece. */
function bodyOf(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Called once, later, with the answer or why there is none: a `TimeoutError`, or the error of the connection. */
export type ExchangeEnd = (answer: LimitedAnswer | undefined, error?: unknown) => void;

/**
 * Sends a request and reads its answer up to a size. A stream for each answer would be slower. The time until
 * `timeout_ms` includes that of the connection.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Request,
  { timeout_ms, maxAnswer_bytes }: Limits,
  ended: ExchangeEnd,
): void {
  const chunks: Buffer[] = [];
  let status = 0;
  let size = 0;
  let running: Dispatcher.DispatchController | undefined;
  let reasonToStop: Error | undefined;
  let hasEnded = false;
  const end = (answer: LimitedAnswer | undefined, error?: unknown) => {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    // Ends the connection before it can be used again.
    if (reasonToStop !== undefined) running?.abort(reasonToStop);
    ended(answer, error);
  };
  const succeed = (isCut: boolean) =>
    end({ status, body: bodyOf(chunks).subarray(0, maxAnswer_bytes), isCut });
  const timer = setTimeout(() => {
    reasonToStop = new DOMException('The call took too long.', 'TimeoutError');
    end(undefined, reasonToStop);
  }, timeout_ms);
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      running = controller;
      if (reasonToStop !== undefined) controller.abort(reasonToStop);
    },
    onResponseStart(_, statusCode) {
      status = statusCode;
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxAnswer_bytes) return;
      reasonToStop = new Error('The answer is too long.');
      succeed(true);
    },
    onResponseEnd: () => succeed(false),
    onResponseError: (_, error) => end(undefined, error),
  };
  try {
    dispatcher.dispatch(request, handler);
  } catch (error) {
    queueMicrotask(() => end(undefined, error));
  }
}
