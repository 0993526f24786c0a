import { planNamed, SANDBOX_REQUESTS_PER_MINUTE } from '../../domain/merchants/plans.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateLimiter } from '../../services/merchants/rate-limit.ts';
import { HttpRefusal } from './refusal.ts';
import type { Passage } from './request-context.ts';

/** Counts a request against its key's minute, and says in the passage how the key stands. Refusal (429): all is used up. */
export async function limitRate(deps: Deps, limiter: RateLimiter, passage: Passage): Promise<void> {
  const { merchant, keyId } = passage.principal!;
  const ofPlan =
    deps.environment === 'sandbox' ? SANDBOX_REQUESTS_PER_MINUTE : planNamed(merchant.plan).requestsPerMinute;
  passage.rate = await limiter.take(merchant, keyId, merchant.rateLimitPerMinute ?? ofPlan);
  if (passage.rate.allowed) return;
  throw new HttpRefusal(429, {
    code: 'rate_limited',
    message: `This key may make ${passage.rate.limit} requests a minute.`,
    retryAfter_s: passage.rate.reset_s,
  });
}
