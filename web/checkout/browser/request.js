const LONGEST_MS = 60_000;

/** The answer to a request; null if there is none within a minute, which is also the time for its body. */
export function request(address, init) {
  // A browser without such signals waits for as long as the connection lasts.
  return fetch(address, { ...init, signal: AbortSignal.timeout?.(LONGEST_MS) }).catch(() => null);
}
