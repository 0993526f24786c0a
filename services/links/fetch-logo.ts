import { createHash } from 'node:crypto';
import type { DueLogo } from '../../db/links/logos.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/durations.ts';
import { imageSize } from '../../domain/links/image-size.ts';
import {
  type LogoProblem,
  logoType,
  MAX_LOGO_BYTES,
  MAX_LOGO_PX,
  type StoredLogo,
} from '../../domain/links/logo.ts';
import type { Deps } from '../deps.ts';
import { moveLogo } from './move-logo.ts';

const MAX_ATTEMPTS = 3;
/** The waits before the second and the third attempt. */
const RETRIES_MS = [30 * SECOND_MS, 5 * MINUTE_MS];

const HEADERS = {
  accept: 'image/png, image/jpeg, image/webp, image/gif',
  'user-agent': 'Centavo-Logos/1',
};

/** The result of an attempt. */
type Result =
  | { readonly kind: 'logo'; readonly logo: StoredLogo }
  | { readonly kind: 'no logo' | 'no answer'; readonly problem: LogoProblem };

const INTERRUPTED: LogoProblem = {
  code: 'interrupted',
  message: 'The attempts to fetch it were interrupted. Send its address again.',
};

/**
 * Fetches a claimed logo and stores it. A server that does not answer is tried three times. An answer that is not a
 * logo, or an address that is not public, ends the attempts. Returns false if the server did not answer.
 */
export async function fetchLogo(deps: Deps, due: DueLogo): Promise<boolean> {
  const { url, attempts } = due;
  // The process of an earlier attempt may have died before it stored a result.
  const result: Result =
    attempts > MAX_ATTEMPTS ? { kind: 'no logo', problem: INTERRUPTED } : await request(deps, url);
  const wait_ms = result.kind === 'no answer' ? RETRIES_MS[attempts - 1] : undefined;
  if (result.kind === 'logo') await moveLogo(deps.db, due, 'store', { logo: result.logo });
  else if (wait_ms === undefined) await giveUp(deps, due, result.problem);
  else await moveLogo(deps.db, due, 'retry', { dueAt: new Date(deps.wall().getTime() + wait_ms) });
  return result.kind !== 'no answer';
}

async function giveUp(deps: Deps, due: DueLogo, problem: LogoProblem): Promise<void> {
  await moveLogo(deps.db, due, 'fail', { problem });
  const { host } = new URL(due.url);
  deps.log.info({ merchant_id: due.merchantId, host, problem: problem.code }, 'logo not fetched');
}

async function request({ outgoing }: Pick<Deps, 'outgoing'>, url: string): Promise<Result> {
  const result = await outgoing.call({
    url,
    method: 'GET',
    headers: HEADERS,
    maxAnswer_bytes: MAX_LOGO_BYTES,
  });
  if (result.kind === 'failed') {
    const isBlocked = result.code === 'blocked_destination';
    const { code, message } = result;
    return { kind: isBlocked ? 'no logo' : 'no answer', problem: { code, message } };
  }
  const { status, body: bytes, isCut } = result;
  if (status !== 200) return noLogo('unexpected_status', `The answer had the status ${status}.`);
  if (isCut) return noLogo('too_large', 'The logo has more than 512 KiB.');
  // The Content-Type of the answer could claim anything.
  const type = logoType(bytes);
  const size = type && imageSize(type, bytes);
  if (type === null || size === null) {
    return noLogo('unknown_format', 'The answer is not a PNG, JPEG, WebP or GIF.');
  }
  if (Math.max(size.width_px, size.height_px) > MAX_LOGO_PX) {
    return noLogo('too_large', `The logo has more than ${MAX_LOGO_PX} pixels on a side.`);
  }
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return { kind: 'logo', logo: { type, bytes, version } };
}

function noLogo(code: LogoProblem['code'], message: string): Result {
  return { kind: 'no logo', problem: { code, message } };
}
