import type { SandboxControl } from '../gateway/sandbox-control.ts';
import type { Deps } from './deps.ts';
import { Refusal } from './refusal.ts';

const RETRY_AFTER_S = 1;

/**
 * Calls the controls of the simulated acquirer. Refusal: `unavailable` when it does not answer. Throws when there are
 * no controls: the operations that need them do not exist in production.
 */
export async function callSandbox<Result>(
  deps: Pick<Deps, 'sandbox'>,
  call: (sandbox: SandboxControl) => Promise<Result>,
): Promise<Result> {
  if (deps.sandbox === null) throw new Error('There is no sandbox in this environment.');
  try {
    return await call(deps.sandbox);
  } catch (cause) {
    throw new Refusal('unavailable', {
      message: 'The sandbox does not answer at the moment. Try again shortly.',
      retryAfter_s: RETRY_AFTER_S,
      cause,
    });
  }
}
