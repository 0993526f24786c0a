import type { AcquirerNotification } from './acquirer.ts';
import { isSigned, SIGNATURE_HEADER } from './signature.ts';
import { readWireNotification } from './wire.ts';

/**
 * The notification in an inbound request. `unsigned`: its signature is missing, wrong or more than 5 minutes old.
 * `malformed`: it is signed, and no notification. `rawBody` is the body as it came, byte for byte; `now_ms` is wall time.
 * Header names are lower-case.
 */
export function readNotification(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
  secret: string,
  now_ms: number,
): AcquirerNotification | 'unsigned' | 'malformed' {
  if (!isSigned(secret, headers[SIGNATURE_HEADER], rawBody, now_ms)) return 'unsigned';
  try {
    return readWireNotification(JSON.parse(rawBody.toString('utf8'))) ?? 'malformed';
  } catch {
    return 'malformed';
  }
}
