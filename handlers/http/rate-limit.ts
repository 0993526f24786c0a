import { planNamed, SANDBOX_REQUESTS_PER_MINUTE } from '../../domain/merchants/plans.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { HttpRefusal } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Counts a request against the limit of its key, and adds the result to the context. Refusal (429): the limit is used up. */
export async function limitRate(deps: Deps, limiter: RateLimiter, context: RequestContext): Promise<void> {
  const { merchant, keyId } = context.principal!;
  const ofPlan =
    deps.environment === 'sandbox' ? SANDBOX_REQUESTS_PER_MINUTE : planNamed(merchant.plan).requestsPerMinute;
  context.rate = await limiter.take(merchant, keyId, merchant.rateLimitPerMinute ?? ofPlan);
  if (context.rate.allowed) return;
  throw new HttpRefusal(429, {
    code: 'rate_limited',
    message: `This key may make ${context.rate.limit} requests a minute.`,
    retryAfter_s: context.rate.reset_s,
  });
}
