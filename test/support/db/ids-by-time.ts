/** An id (as UUID version 7) that was made at the time of an SQL expression, as an SQL expression. */
export function idAt(time: string): string {
  const since1970_ms = `cast(extract(epoch from ${time}) * 1000 as bigint)`;
  return `cast(lpad(to_hex(${since1970_ms}), 12, '0') || '7' || substr(md5(random()::text), 1, 19) as uuid)`;
}
