import type { Database } from '../engine/database.ts';

/** Slots with at least one merchant, in their order. */
export async function usedSlots(db: Database): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>('select distinct slot from merchants order by slot');
  return rows.map(({ slot }) => slot);
}
