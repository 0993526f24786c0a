import { Agent, request } from 'undici';
import { SIGNATURE_HEADER, sign, signedRequest } from './signature.ts';

/** Where the acquirer is, and the limits of a call. */
export interface HttpClientOptions {
  /** Origin such as `http://127.0.0.1:4010`; a function where it may change. */
  readonly url: string | (() => string);
  /** Shared with the acquirer; signs every request. */
  readonly secret: string;
  /** Bounds a whole call, its retry and its body included. */
  readonly timeout_ms?: number;
  /** Connections to one origin, and so calls at once; more wait for one of these, within their time-out. */
  readonly connections?: number;
  /** The longest answer that is read; default 64 KiB. */
  readonly maxAnswer_bytes?: number;
}

export type HttpAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly cause: string };

export interface HttpClient {
  /**
   * Posts JSON. Never throws. With `retry`, a connection that breaks before the answer is tried once more. `limit_ms`
   * bounds this call in place of the client's time-out.
   */
  post(path: string, body: object, retry: boolean, limit_ms?: number): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** How long a request waits for the acquirer. */
export const CALL_TIMEOUT_MS = 8_000;
/** More than the service handles requests at once: calls without an answer must not delay those of other merchants. */
const MAX_CONNECTIONS = 512;
/** An answer about a payment is a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The connection broke or was not made. The same reference can safely be sent again. */
const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** A client that signs what it sends and bounds what it receives, in time and size. */
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

/** The error's code only: its message may quote what was sent. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
