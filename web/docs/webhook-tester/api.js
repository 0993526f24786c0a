// Requests to the API of this service with one key, which is kept in memory only.

/** An answer that is not 2xx. */
export class ApiError extends Error {
  constructor(status, message, retryAfter_s) {
    super(message);
    this.status = status;
    /** Null unless the answer says how long to wait. */
    this.retryAfter_s = retryAfter_s;
  }
}

/** Sends requests with the key until the signal aborts. */
export function apiOf(key, signal) {
  return async (method, path) => {
    const response = await fetch(`/api/v1${path}`, {
      method,
      signal,
      cache: 'no-store',
      credentials: 'omit',
      headers: { Authorization: `Bearer ${key}` },
    });
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    const seconds = Number(response.headers.get('Retry-After'));
    throw new ApiError(response.status, messageOf(body, response.status), seconds > 0 ? seconds : null);
  };
}

/** The message of any form of error body. */
function messageOf({ error, errors, message }, status) {
  const texts = Object.values(errors ?? {}).flat();
  return error?.message ?? ([message, ...texts].filter(Boolean).join(' ') || `The answer was ${status}.`);
}
