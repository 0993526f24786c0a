/** The earliest instant that is not null, or null. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
