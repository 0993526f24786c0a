import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

/**
 * Runs an operation for the reader of a page, whose request has the ticket. It has the same limits, log and metrics.
 */
export type CallOperation = (
  request: IncomingMessage,
  response: Response,
  call: OperationCall,
) => Promise<{ readonly status: number; readonly body: unknown; readonly retryAfter?: string | undefined }>;

export interface OperationCall {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: object;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}
