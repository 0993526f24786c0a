/**
 * The smallest id (UUID version 7) that was made at the time of an expression or later, as an expression. Ids that are
 * made at the `created_at` of their rows sort like it, so an index on the id also orders the rows by time.
 */
export function firstIdAt(time: string): string {
  const since1970_ms = `cast(ceil(greatest(extract(epoch from ${time}), 0) * 1000) as bigint)`;
  return `cast(lpad(to_hex(${since1970_ms}), 12, '0') || repeat('0', 20) as uuid)`;
}
