import type { ReceivedNotification } from './acquirer.ts';
import { readCardUpdate } from './card-update.ts';
import { isSigned, SIGNATURE_HEADER } from './signature.ts';
import { readWireNotification } from './wire.ts';

/**
 * Reads the notification in a request. `unsigned`: the signature is missing, wrong or more than 5 minutes old.
 * `malformed`: the signature is right, but the body is not a valid notification. `rawBody` is the body as it was sent,
 * byte for byte; `now_ms` is wall time. Header names are in lower case.
 */
export function readNotification(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
  secret: string,
  now_ms: number,
): ReceivedNotification | 'unsigned' | 'malformed' {
  if (!isSigned(secret, headers[SIGNATURE_HEADER], rawBody, now_ms)) return 'unsigned';
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    return readWireNotification(body) ?? readCardUpdate(body) ?? 'malformed';
  } catch {
    return 'malformed';
  }
}
