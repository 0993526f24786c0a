/** The earliest instant that is not null, or null. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/**
 * The time of a change, by a clock that shows `now`, of an object whose last change was at `changedAt`. If the clock is
 * behind that, it is the next millisecond, because ids that two processes make in the same one sort in any order. If it
 * shows the same time, as a clock of the sandbox that stands still, only the order of one process is kept.
 */
export function timeOfChange(now: Date, changedAt: Date): Date {
  return now < changedAt ? new Date(changedAt.getTime() + 1) : now;
}
