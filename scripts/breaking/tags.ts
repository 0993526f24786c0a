import type { Report } from './change.ts';
import type { Node } from './document.ts';

/** Operations as they were and are. */
type Pair = readonly [was: Node, is: Node];

/** First tags that are others now. A tag whose operations all got the same other one is told once. */
export function compareTags(pairs: readonly Pair[], report: Report): void {
  const byTag = Map.groupBy(pairs, ([was]) => firstTag(was));
  for (const [tag, those] of byTag) {
    const [now, ...others] = new Set(those.map(([, is]) => firstTag(is)));
    if (others.length === 0) {
      if (now !== tag) report('tag-changed', `tag ${tag}`, `is ${now} now`);
      continue;
    }
    for (const [was, is] of those) {
      if (firstTag(is) !== tag) report('tag-changed', `${was.operationId} tag`, `${tag} → ${firstTag(is)}`);
    }
  }
}

/** Generators put what has no tag into a class of this name. */
function firstTag({ tags }: Node): string {
  return Array.isArray(tags) && tags.length > 0 ? String(tags[0]) : 'default';
}
