import { Agent, request } from 'undici';
import { SIGNATURE_HEADER, sign, signedRequest } from './signature.ts';

/** The address of the acquirer, and the limits of a call. */
export interface HttpClientOptions {
  /** Origin such as `http://127.0.0.1:4010`, or a function if it can change. */
  readonly url: string | (() => string);
  /** Shared with the acquirer; signs every request. */
  readonly secret: string;
  /** The time limit of a whole call, with its retry and its body. */
  readonly timeout_ms?: number;
  /**
   * The maximum of connections, and so of calls at once. Further calls wait for a connection, within their time limit.
   */
  readonly connections?: number;
  /** The maximum length of an answer; default 64 KiB. */
  readonly maxAnswer_bytes?: number;
}

export type HttpAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly cause: string };

export interface HttpClient {
  /**
   * Posts JSON. Never throws. With `retry`, the request is sent again if the connection breaks before the answer.
   * `limit_ms` replaces the client's time limit for this call.
   */
  post(path: string, body: object, retry: boolean, limit_ms?: number): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** The time limit of a call. */
const CALL_TIMEOUT_MS = 8_000;
/**
 * More than the requests that the service handles at once, so that calls without an answer do not delay those of other
 * merchants.
 */
const MAX_CONNECTIONS = 512;
/** An answer about a payment is a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The connection broke or was not made. The same reference can safely be sent again. */
const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** A client that signs its requests, and limits the time and size of answers. */
export function httpClient(options: HttpClientOptions): HttpClient {
  const { url, secret, timeout_ms = CALL_TIMEOUT_MS, connections = MAX_CONNECTIONS } = options;
  const maxResponseSize = options.maxAnswer_bytes ?? MAX_ANSWER_BYTES;
  const agent = new Agent({ connections, keepAliveTimeout: 10_000, maxResponseSize });

  async function send(path: string, json: string, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await request((typeof url === 'string' ? url : url()) + path, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: sign(secret, Date.now(), signedRequest(path, json)),
      },
      body: json,
    });
    return { kind: 'answer', status: answer.statusCode, body: parse(await answer.body.text()) };
  }

  return {
    async post(path, body, retry, limit_ms = timeout_ms) {
      const signal = AbortSignal.timeout(limit_ms);
      try {
        const json = JSON.stringify(body);
        return await send(path, json, signal).catch((error) => {
          if (!retry || !CONNECTION_ERRORS.has(codeOf(error))) throw error;
          return send(path, json, signal);
        });
      } catch (error) {
        return { kind: 'failed', cause: signal.aborted ? 'time_out' : codeOf(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Only the code of the error, because its message may quote the request. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
