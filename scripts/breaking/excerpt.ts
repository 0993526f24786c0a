const LONGEST = 60;
const LEAD = 12;

/** Cuts two texts to the part where they differ, with a few characters before it. */
export function excerptsOf(was: string, is: string): [string, string] {
  if (was.length <= LONGEST && is.length <= LONGEST) return [was, is];
  let same = 0;
  while (same < was.length && was[same] === is[same]) same += 1;
  const from = Math.max(0, same - LEAD);
  return [cut(was, from), cut(is, from)];
}

function cut(text: string, from: number): string {
  const to = from + LONGEST;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${text.length > to ? '…' : ''}`;
}
