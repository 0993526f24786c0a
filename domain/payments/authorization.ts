/** An authorization whose amount is reserved on the card and not captured yet. Times are the merchant's. */
export interface OpenAuthorization {
  readonly createdAt: Date;
  /** When its next step is due; null if none is left. */
  readonly dueAt: Date | null;
  readonly details: {
    /** Hours until it is captured automatically; absent if the merchant captures it. */
    readonly captureDelay_hours?: number;
  };
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Contract row 13.5: the card's bank reserves the amount for 7 days. */
const VALIDITY_MS = 7 * DAY_MS;
/** If the acquirer refuses the void, it is tried again on the next two days. */
const VOID_RETRIES_MS = 2 * DAY_MS;

/** When the first step of a new authorization is due. */
export function firstStepAt({ createdAt, details }: Omit<OpenAuthorization, 'dueAt'>): Date {
  const { captureDelay_hours } = details;
  return captureDelay_hours === undefined
    ? endOf({ createdAt })
    : new Date(createdAt.getTime() + captureDelay_hours * HOUR_MS);
}

/** The step that is due at a time: an authorization that is captured automatically is voided only after its end. */
export function stepAt({ createdAt, details }: OpenAuthorization, at: Date): 'capture' | 'void' {
  return details.captureDelay_hours !== undefined && at < endOf({ createdAt }) ? 'capture' : 'void';
}

/**
 * When the next step is due after the acquirer refused a capture or a void. A refusal of what the merchant requested
 * before the time changes nothing. Null when the void has been refused three times: the card's bank then releases the
 * amount.
 */
export function stepAfterRefusal({ createdAt, dueAt }: OpenAuthorization, at: Date): Date | null {
  if (dueAt === null || at < dueAt) return dueAt;
  const end = endOf({ createdAt });
  if (at < end) return end;
  return at.getTime() < end.getTime() + VOID_RETRIES_MS ? new Date(at.getTime() + DAY_MS) : null;
}

function endOf({ createdAt }: Pick<OpenAuthorization, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + VALIDITY_MS);
}
