import { createHash } from 'node:crypto';
import { type DueLogo, type StoredLogo, settleLogo } from '../../db/links/logos.ts';
import { logoType, MAX_LOGO_BYTES } from '../../domain/links/logo.ts';
import type { Deps } from '../deps.ts';

const MAX_ATTEMPTS = 3;
/** The waits before the second and the third attempt. */
const RETRIES_MS = [30_000, 5 * 60_000];

const HEADERS = {
  accept: 'image/png, image/jpeg, image/webp, image/gif',
  'user-agent': 'Centavo-Logos/1',
};

/** The result of an attempt. `problem` is logged. */
type Result =
  | { readonly kind: 'logo'; readonly logo: StoredLogo }
  | { readonly kind: 'no logo'; readonly problem: string }
  | { readonly kind: 'no answer'; readonly problem: string };

/**
 * Fetches a claimed logo and stores it. A server that does not answer is tried three times. An answer that is not a logo,
 * or an address that is not public, ends the attempts. Returns false if the server did not answer.
 */
export async function fetchLogo(deps: Deps, due: DueLogo): Promise<boolean> {
  const { url, attempts, linkId } = due;
  // The process of an earlier attempt may have died before it stored a result.
  const result: Result =
    attempts > MAX_ATTEMPTS ? { kind: 'no logo', problem: 'interrupted' } : await request(deps, url);
  const logo = result.kind === 'logo' ? result.logo : null;
  const wait_ms = result.kind === 'no answer' ? RETRIES_MS[attempts - 1] : undefined;
  const retryAt = wait_ms === undefined ? null : new Date(deps.wall().getTime() + wait_ms);
  await settleLogo(deps.db, due, { logo, retryAt });
  if (result.kind !== 'logo' && retryAt === null) {
    const { problem } = result;
    deps.log.info({ merchant_id: due.merchantId, link_id: linkId, problem }, 'logo not fetched');
  }
  return result.kind !== 'no answer';
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
    return { kind: isBlocked ? 'no logo' : 'no answer', problem: result.code };
  }
  const { status, body: bytes, isCut } = result;
  if (status !== 200) return { kind: 'no logo', problem: `status ${status}` };
  if (isCut) return { kind: 'no logo', problem: 'too large' };
  // The Content-Type of the answer could claim anything.
  const type = logoType(bytes);
  if (type === null) return { kind: 'no logo', problem: 'not a PNG, JPEG, WebP or GIF' };
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return { kind: 'logo', logo: { type, bytes, version } };
}
