import { SLOTS } from '../../domain/scope.ts';

/** Rows that are read to see how many there are. More would cost more than a probe of each slot. */
const FEW = SLOTS;

/**
 * A statement for the slots that have rows of a table under a condition. If there are many rows, each slot is probed
 * once, and the others are not read. `order`: columns of an index that begins with the slot or serves the condition.
 * With it, a probe reads one row of the index.
 */
export function slotsWithRows(table: string, condition: string, order: string): string {
  return `with first as materialized (select slot from ${table} where ${condition} order by ${order} limit ${FEW})
     select slot from first where (select count(*) from first) < ${FEW} group by slot
     union all
     select s.slot from generate_series(0, ${SLOTS - 1}) s(slot),
       lateral (select from ${table} d where d.slot = s.slot and ${condition} order by ${order} limit 1) found
      where (select count(*) from first) = ${FEW}`;
}
