import type { DeliveryError } from '../../domain/webhooks/delivery.ts';
import type { Faults } from '../../domain/webhooks/faults.ts';
import type { Deps } from '../deps.ts';
import type { OutgoingCall, OutgoingResult } from './outgoing.ts';
import { newSecret } from './signature.ts';

/** The result of an attempt, which may have failed without a call. */
export type AttemptResult = OutgoingResult | ({ readonly kind: 'failed' } & DeliveryError);

export const DROPPED = {
  kind: 'failed',
  code: 'simulated_drop',
  message: 'The attempt was not sent, because of a fault that you set in the sandbox.',
} as const satisfies AttemptResult;

/**
 * Makes the call of an attempt with the faults of its endpoint. `attemptsBefore`: how many the delivery has had.
 * `ended` is called later, and must not throw.
 */
export function callWithFaults(
  { outgoing }: Pick<Deps, 'outgoing'>,
  call: OutgoingCall,
  { faults, attemptsBefore }: { readonly faults: Faults; readonly attemptsBefore: number },
  ended: (result: AttemptResult) => void,
): void {
  if (attemptsBefore < faults.dropFirst) queueMicrotask(() => ended(DROPPED));
  else if (!faults.duplicate) outgoing.begin(call, ended);
  else void Promise.all([outgoing.call(call), outgoing.call(call)]).then(([result]) => ended(result));
}

/** The secrets that sign the deliveries: those given, or as many that the receiver does not have. */
export function signingSecretsWithFaults(
  { random }: Pick<Deps, 'random'>,
  { wrongSignature }: Faults,
  secrets: readonly string[],
): readonly string[] {
  return wrongSignature ? secrets.map(() => newSecret(random)) : secrets;
}
