import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header of every signed message, either way: `t=<unix ms>,v1=<hex hmac-sha256 of "t.content">`. */
export const SIGNATURE_HEADER = 'acquirer-signature';

/** How far the two clocks may differ, in milliseconds; an older message is a replay. */
const SIGNATURE_TOLERANCE_MS = 5 * 60_000;

const HEADER = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/;

/** The header's value for `content`, sent at `at_ms` (wall time). */
export function sign(secret: string, at_ms: number, content: string | Buffer): string {
  return `t=${at_ms},v1=${digest(secret, String(at_ms), content).toString('hex')}`;
}

/** Whether `header` signs `content` under `secret`, not more than the tolerance away from `now_ms`. */
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
