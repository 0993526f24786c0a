import type { Report } from './change.ts';
import type { Node } from './document.ts';

/** An operation before and after. */
type Pair = readonly [was: Node, is: Node];

/** Reports changed first tags. When all operations of a tag move to the same tag, it is reported once. */
export function compareTags(pairs: readonly Pair[], report: Report): void {
  const byTag = Map.groupBy(pairs, ([was]) => firstTag(was));
  for (const [tag, those] of byTag) {
    const [now, ...others] = new Set(those.map(([, is]) => firstTag(is)));
    if (others.length === 0) {
      if (now !== tag) report('tag-changed', `tag ${tag}`, `is now ${now}`);
      continue;
    }
    for (const [was, is] of those) {
      if (firstTag(is) !== tag) report('tag-changed', `${was.operationId} tag`, `${tag} → ${firstTag(is)}`);
    }
  }
}

/** Generators put operations without a tag into a class of this name. */
function firstTag({ tags }: Node): string {
  return Array.isArray(tags) && tags.length > 0 ? String(tags[0]) : 'default';
}
