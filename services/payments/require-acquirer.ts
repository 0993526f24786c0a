import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses with `unavailable` if no acquirer is configured: the operator has to configure one. `what` is not possible
 * then, and begins the sentence.
 */
export function requireAcquirer(
  { acquirer }: Pick<Deps, 'acquirer'>,
  what:
    | 'No order can be taken'
    | 'No subscription can be created'
    | 'No plan can be changed at once'
    | 'No mandate can be requested',
): void {
  if (acquirer.isConfigured) return;
  throw new Refusal('unavailable', {
    message: `${what} at the moment: the service is not connected to an acquirer.`,
    // A retry after a few seconds does not help.
    retryAfter_s: 60,
  });
}
