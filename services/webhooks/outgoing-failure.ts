import type { OutgoingFailureCode } from '../../domain/webhooks/outgoing-failure.ts';
import type { OutgoingFailure } from './outgoing.ts';

/** The rules for destinations forbid the call. The message has the reason. */
export class BlockedDestination extends Error {}

/** The host has no address. */
export class UnknownHost extends Error {}

/** The codes that have a fixed sentence. */
type CommonCode = Exclude<OutgoingFailureCode, 'blocked_destination'>;

const MESSAGES: Readonly<Record<CommonCode, string>> = {
  unknown_host: 'The host name did not resolve.',
  connection_failed: 'The host refused the connection or cannot be reached.',
  connection_closed: 'The connection was closed before the answer was complete.',
  tls_failed: 'The TLS handshake failed: the certificate is not valid for this host, or not trusted.',
  timed_out: 'The answer was not complete in time.',
  invalid_answer: 'The answer is not valid HTTP.',
};

/** Codes of Node, OpenSSL and undici. */
const CODES: readonly (readonly [RegExp, CommonCode])[] = [
  // Of the system's look-up, which a sandbox uses that may reach private addresses.
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'unknown_host'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timed_out'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection_closed'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_.*)$/, 'invalid_answer'],
  [
    /^(EPROTO|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|HOSTNAME_.*)$/,
    'tls_failed',
  ],
];

/** Converts the error of a call. */
export function failureOf(error: unknown): OutgoingFailure {
  if (error instanceof BlockedDestination) return { code: 'blocked_destination', message: error.message };
  const code = codeOf(error);
  return { code, message: MESSAGES[code] };
}

function codeOf(error: unknown): CommonCode {
  if (error instanceof UnknownHost) return 'unknown_host';
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (name === 'TimeoutError') return 'timed_out';
  // Its code is not always set.
  if (name === 'HTTPParserError') return 'invalid_answer';
  return CODES.find(([pattern]) => pattern.test(String(code)))?.[1] ?? 'connection_failed';
}
