import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../domain/durations.ts';

/** The header of every signed message, in both directions: `t=<unix ms>,v1=<hex hmac-sha256 of "t.content">`. */
export const SIGNATURE_HEADER = 'acquirer-signature';

/** The maximum difference of the two clocks, in milliseconds. An older message may be a replay. */
const SIGNATURE_TOLERANCE_MS = 5 * MINUTE_MS;

const HEADER = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/;

/** The header's value for `content`, sent at `at_ms` (wall time). */
export function sign(secret: string, at_ms: number, content: string | Buffer): string {
  return `t=${at_ms},v1=${digest(secret, String(at_ms), content).toString('hex')}`;
}

/**
 * Whether `header` is a valid signature of `content` with `secret`, made at most `SIGNATURE_TOLERANCE_MS` before or
 * after `now_ms`.
 */
export function isSigned(secret: string, header: unknown, content: string | Buffer, now_ms: number): boolean {
  const match = typeof header === 'string' ? HEADER.exec(header) : null;
  if (!match) return false;
  const [, at, claimed] = match as unknown as [string, string, string];
  if (Math.abs(now_ms - Number(at)) > SIGNATURE_TOLERANCE_MS) return false;
  return timingSafeEqual(digest(secret, at, content), Buffer.from(claimed, 'hex'));
}

/** What a request's signature covers: its path too, so that a body signed for one path is not valid for another. */
export function signedRequest(path: string, body: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`POST ${path}\n`), Buffer.from(body as string)]);
}

function digest(secret: string, at: string, content: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${at}.`).update(content).digest();
}
