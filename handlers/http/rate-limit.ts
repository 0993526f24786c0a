import { planNamed, SANDBOX_REQUESTS_PER_MINUTE } from '../../domain/merchants/plans.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { counterIdOf, scopeOfCounter } from '../../services/counter-id.ts';
import type { Deps } from '../../services/deps.ts';
import type { RateDecision, RateLimiter } from '../../services/merchants/rate-limit.ts';
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
  const ofKind =
    principal === undefined ? ADDRESS_REQUESTS_PER_MINUTE : planNamed(merchant.plan).requestsPerMinute;
  const usual = deps.environment === 'sandbox' ? SANDBOX_REQUESTS_PER_MINUTE : ofKind;
  const own = merchant.rateLimitPerMinute ?? usual;
  // A low limit is for what the merchant's keys ask for. It must not lock out the buyers.
  const limit = principal === undefined ? Math.max(own, usual) : own;
  const counter =
    principal?.keyId ?? counterIdOf(deps, `requests\0${merchant.merchantId}`, context.clientAddress());
  context.rate = await limiter.take(merchant, counter, limit);
  if (context.rate.allowed) return;
  throw tooManyRequests(context.rate, principal === undefined ? 'Your network' : 'This key');
}

/**
 * Counts a request of an operation without a merchant towards the limit of its client address. Refuses (429) above it.
 */
export async function limitAddress(
  deps: Deps,
  limiter: RateLimiter,
  context: RequestContext,
  limit: number,
): Promise<void> {
  const name = `requests\0${context.operation!.operationId}`;
  const counter = counterIdOf(deps, name, context.clientAddress());
  context.rate = await limiter.take(scopeOfCounter(counter), counter, limit);
  if (!context.rate.allowed) throw tooManyRequests(context.rate, 'Your network');
}

/** Counts a request towards another limit per minute, with the id `counter`. Refuses (429) above the limit. */
export async function limitTo(
  limiter: RateLimiter,
  scope: MerchantScope,
  counter: string,
  limit: number,
): Promise<void> {
  const rate = await limiter.take(scope, counter, limit);
  if (!rate.allowed) throw tooManyRequests(rate, 'This domain');
}

/** The refusal of a request above a limit per minute. */
export function tooManyRequests({ limit, reset_s }: RateDecision, who: string): HttpRefusal {
  return new HttpRefusal(429, {
    code: 'rate_limited',
    message: `${who} can make ${limit} requests per minute.`,
    retryAfter_s: reset_s,
  });
}
