import type { SandboxControl } from '../gateway/sandbox-control.ts';
import type { Deps } from './deps.ts';
import { Refusal } from './refusal.ts';

const RETRY_AFTER_S = 1;

/**
 * Asks the simulated acquirer's controls. It throws when there are none: in production the operations that need them
 * do not exist. Refusal (503): it does not answer now.
 */
export async function askSandbox<Result>(
  deps: Pick<Deps, 'sandbox'>,
  ask: (sandbox: SandboxControl) => Promise<Result>,
): Promise<Result> {
  if (deps.sandbox === null) throw new Error('There is no sandbox in this environment.');
  try {
    return await ask(deps.sandbox);
  } catch (cause) {
    throw new Refusal('unavailable', {
      code: 'service_unavailable',
      message: 'The sandbox does not answer at the moment. Try again shortly.',
      retryAfter_s: RETRY_AFTER_S,
      cause,
    });
  }
}
