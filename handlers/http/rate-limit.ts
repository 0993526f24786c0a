import { createHash } from 'node:crypto';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { planNamed, SANDBOX_REQUESTS_PER_MINUTE } from '../../domain/merchants/plans.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { HttpRefusal } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** The limit of a buyer's network address at the pages of one merchant, in production. */
const ADDRESS_REQUESTS_PER_MINUTE = 600;

/**
 * Counts a request towards the limit of its key or, without a key, of its address; and adds the result to the context.
 * Refuses (429) above the limit.
 */
export async function limitRate(deps: Deps, limiter: RateLimiter, context: RequestContext): Promise<void> {
  const merchant = context.merchant!;
  const { principal } = context;
  const isSandbox = deps.environment === 'sandbox';
  const ofKind =
    principal === undefined ? ADDRESS_REQUESTS_PER_MINUTE : planNamed(merchant.plan).requestsPerMinute;
  const limit = merchant.rateLimitPerMinute ?? (isSandbox ? SANDBOX_REQUESTS_PER_MINUTE : ofKind);
  const counter = principal?.keyId ?? counterOf(merchant, context.clientAddress());
  context.rate = await limiter.take(merchant, counter, limit);
  if (context.rate.allowed) return;
  const who = principal === undefined ? 'Your network' : 'This key';
  throw new HttpRefusal(429, {
    code: 'rate_limited',
    message: `${who} can make ${context.rate.limit} requests per minute.`,
    retryAfter_s: context.rate.reset_s,
  });
}

/** In the form of a UUID. The rows are deleted after minutes. */
function counterOf({ merchantId }: Merchant, clientAddress: string): string {
  return createHash('sha256').update(`${merchantId}\0${clientAddress}`).digest('hex').slice(0, 32);
}
