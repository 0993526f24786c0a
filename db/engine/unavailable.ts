/** The database cannot be reached, or does not answer now. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/**
 * Connection exceptions (class 08), shutdown and crash (57P0x), insufficient resources (class 53), a read-only standby
 * (25006), a transaction that was idle or open for too long (25P03, 25P04), a lock or statement timeout (55P03, 57014),
 * a prepared statement that is out of date or missing (0A000, 26000), and the codes of sockets.
 */
const UNAVAILABLE_CODES =
  /^(08...|53...|57P0[1-5]|57014|55P03|25006|25P0[34]|0A000|26000|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** pg and the pool report a lost connection and an acquire timeout without a code. */
const UNAVAILABLE_WORDS =
  /Connection terminated|Timeout acquiring a connection|timeout expired|not queryable/i;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && UNAVAILABLE_CODES.test(code)) return true;
  return code === undefined && UNAVAILABLE_WORDS.test(error.message);
}

/**
 * Another transaction changed a row after this one had read it and before it locked it. It is retried, as after a
 * deadlock.
 */
export class ConcurrentChange extends Error {
  readonly code = '40001';
}

/** Deadlock or serialization failure: the transaction can be retried. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '40P01' || code === '40001';
}

/**
 * A repeated deadlock, a lock timeout, or a reference to a deleted row (23503), which only a reset of the sandbox
 * causes. The same request can be sent again.
 */
export function isContended(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return isRetryable(error) || code === '55P03' || code === '23503';
}

/** SQLSTATE 23505: another row has the key. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505';
}
