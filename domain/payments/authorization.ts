import { DAY_MS, HOUR_MS } from '../durations.ts';

/** An authorization whose amount is reserved on the card and not captured yet. Times are the merchant's. */
export interface OpenAuthorization {
  readonly createdAt: Date;
  readonly details: {
    readonly manualCapture: boolean;
    /** Hours until it is captured automatically; absent if the merchant captures it. Only a wallet has it. */
    readonly captureDelay_hours?: number;
  };
}

/** Contract row 13.5: the card's bank reserves the amount for 7 days. */
const VALIDITY_MS = 7 * DAY_MS;
/** If the acquirer refuses the void, it is tried again a day later, until it has been refused this often. */
const MAX_VOIDS = 3;
/** If the acquirer refuses the automatic capture for a reason that can pass, it is tried again after this time. */
const CAPTURE_RETRY_MS = 6 * HOUR_MS;
/** How often the automatic capture is tried while the merchant is not approved. */
const CAPTURE_WAIT_MS = HOUR_MS;

/** When the first step of a new authorization is due. */
export function firstStepAt({ createdAt, details }: OpenAuthorization): Date {
  const { captureDelay_hours } = details;
  return captureDelay_hours === undefined
    ? endOf({ createdAt })
    : new Date(createdAt.getTime() + captureDelay_hours * HOUR_MS);
}

/** The step that is due at a time: an authorization that is captured automatically is voided only after its end. */
export function stepAt({ createdAt, details }: OpenAuthorization, at: Date): 'capture' | 'void' {
  return details.captureDelay_hours !== undefined && !isOver({ createdAt }, at) ? 'capture' : 'void';
}

/**
 * When the next step is due after the acquirer refused one. A capture is tried again if the refusal can be retried,
 * until the authorization ends and is voided. Null when the void has been refused three times: the card's bank then
 * releases the amount.
 */
export function stepAfterRefusal(
  authorization: Pick<OpenAuthorization, 'createdAt'>,
  { step, isRetryable, refusedBefore }: RefusedAuthorizationStep,
  at: Date,
): Date | null {
  const end = endOf(authorization);
  if (step === 'capture') return isRetryable ? earlier(new Date(at.getTime() + CAPTURE_RETRY_MS), end) : end;
  // The merchant's cancellations before the end do not count.
  const refusedVoids = refusedBefore.filter((requestedAt) => isOver(authorization, requestedAt)).length + 1;
  return refusedVoids < MAX_VOIDS ? new Date(at.getTime() + DAY_MS) : null;
}

interface RefusedAuthorizationStep {
  readonly step: string;
  readonly isRetryable: boolean;
  /** When the same was requested before and refused. */
  readonly refusedBefore: readonly Date[];
}

/** Whether the card's bank no longer reserves the amount, so that it cannot be captured. */
export function isOver(authorization: Pick<OpenAuthorization, 'createdAt'>, at: Date): boolean {
  return at >= endOf(authorization);
}

/** When the step is due again of an authorization that cannot be captured now, because its merchant is not approved. */
export function stepAfterWait({ createdAt }: Pick<OpenAuthorization, 'createdAt'>, at: Date): Date {
  return earlier(new Date(at.getTime() + CAPTURE_WAIT_MS), endOf({ createdAt }));
}

function endOf({ createdAt }: Pick<OpenAuthorization, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + VALIDITY_MS);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
