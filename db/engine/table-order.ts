/** A table and the tables that its foreign keys refer to. */
export interface ReferringTable {
  readonly name: string;
  readonly parents: readonly string[];
}

/**
 * SQL for `parents` of the table with the oid `c.oid`, from the catalog. A reference to the table itself is left out.
 */
export const PARENTS = `array(
  select k.confrelid::regclass::text from pg_constraint k
   where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid)`;

/** Orders tables so that each comes after those of them that it refers to. */
export function parentsFirst<Table extends ReferringTable>(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table, children: readonly Table[]) => {
    if (ordered.has(table) || children.includes(table)) return;
    const parents = tables.filter(({ name }) => table.parents.includes(name));
    for (const parent of parents) add(parent, [...children, table]);
    ordered.add(table);
  };
  for (const table of tables) add(table, []);
  return [...ordered];
}
