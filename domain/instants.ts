/** The earliest instant that is not null, or null. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/**
 * The time of a change that is made at `now`, to an object whose last change was at `changedAt`. If the clock is behind
 * `changedAt`, the time is one millisecond after it: ids that two processes make in the same millisecond sort in any
 * order. If the two times are equal, only changes by the same process keep their order. A clock of the sandbox that is
 * not advanced can show the same time twice.
 */
export function timeOfChange(now: Date, changedAt: Date): Date {
  return now < changedAt ? new Date(changedAt.getTime() + 1) : now;
}
