import { planNamed, SANDBOX_REQUESTS_PER_MINUTE } from '../../domain/merchants/plans.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { HttpRefusal } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Counts a request towards the limit of its key, and adds the result to the context. Refuses (429) above the limit. */
export async function limitRate(deps: Deps, limiter: RateLimiter, context: RequestContext): Promise<void> {
  const { merchant, keyId } = context.principal!;
  const ofPlan =
    deps.environment === 'sandbox' ? SANDBOX_REQUESTS_PER_MINUTE : planNamed(merchant.plan).requestsPerMinute;
  context.rate = await limiter.take(merchant, keyId, merchant.rateLimitPerMinute ?? ofPlan);
  if (context.rate.allowed) return;
  throw new HttpRefusal(429, {
    code: 'rate_limited',
    message: `This key can make ${context.rate.limit} requests per minute.`,
    retryAfter_s: context.rate.reset_s,
  });
}
