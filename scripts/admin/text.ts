/** Shown in place of a value that is missing. */
const NOTHING = '–';

type Cell = string | number | null | readonly (string | number)[];

/** `name  value` lines with aligned values. */
export function lines(fields: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, cell]) => `  ${name.padEnd(width)}  ${show(cell)}`)
    .join('\n');
}

/** A table with one column per key of the rows. Returns `none` where there are no rows. */
export function table(rows: readonly Readonly<Record<string, Cell>>[], none: string): string {
  const [first] = rows;
  if (first === undefined) return none;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => show(row[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => [...row[column]!].length)));
  const pad = (cell: string, column: number) => cell + ' '.repeat(widths[column]! - [...cell].length);
  return cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** ISO 8601 UTC with microseconds, as the API writes instants. */
export function instant(at: Date): string {
  return at.toISOString().replace('Z', '000Z');
}

function show(cell: Cell): string {
  if (cell === null || cell === '') return NOTHING;
  return typeof cell === 'object' ? cell.join(', ') || NOTHING : `${cell}`;
}
