/**
 * The longest time that a request takes (wall time): the calls that it makes have limits that add up to less. Only an
 * advance of a sandbox's clock can take longer, if many events of the acquirer are due at one instant.
 */
export const LONGEST_REQUEST_MS = 25_000;
