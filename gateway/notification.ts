import type { AcquirerNotification } from './acquirer.ts';
import { isSigned, SIGNATURE_HEADER } from './signature.ts';
import { readWireNotification } from './wire.ts';

/**
 * What the acquirer tells by an inbound request, or null when its signature, age (more than 5 minutes) or shape is
 * wrong. `rawBody` is the body as it came, byte for byte; `now_ms` is wall time. Header names are lower-case.
 */
export function readNotification(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
  secret: string,
  now_ms: number,
): AcquirerNotification | null {
  if (!isSigned(secret, headers[SIGNATURE_HEADER], rawBody, now_ms)) return null;
  try {
    return readWireNotification(JSON.parse(rawBody.toString('utf8')));
  } catch {
    return null;
  }
}
