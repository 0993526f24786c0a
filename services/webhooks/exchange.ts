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

/**
 * Sends a request and reads its answer up to a size. A stream for each answer would be slower. Rejects with a `TimeoutError`
 * after `timeout_ms`, also while it connects, and with the error of the connection.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Request,
  { timeout_ms, maxAnswer_bytes }: Limits,
): Promise<LimitedAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let size = 0;
    let running: Dispatcher.DispatchController | undefined;
    let reasonToStop: Error | undefined;
    const stop = (reason: Error) => {
      reasonToStop = reason;
      running?.abort(reason);
    };
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const succeed = (isCut: boolean) => {
      clearTimeout(timer);
      resolve({ status, body: bodyOf(chunks).subarray(0, maxAnswer_bytes), isCut });
    };
    const timer = setTimeout(() => {
      const timeout = new DOMException('The call took too long.', 'TimeoutError');
      fail(timeout);
      stop(timeout);
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
        succeed(true);
        // Ends the connection.
        stop(new Error('The answer is too long.'));
      },
      onResponseEnd: () => succeed(false),
      onResponseError: (_, error) => fail(error),
    };
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      fail(error as Error);
    }
  });
}
