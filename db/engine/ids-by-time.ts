/**
 * The smallest id (UUID version 7) that was made at the time of an expression or later, as an expression. Ids of rows
 * that are made at their `created_at` sort like it, so their indexes need no column for it.
 */
export function firstIdAt(time: string): string {
  const since1970_ms = `cast(ceil(greatest(extract(epoch from ${time}), 0) * 1000) as bigint)`;
  return `cast(lpad(to_hex(${since1970_ms}), 12, '0') || repeat('0', 20) as uuid)`;
}
