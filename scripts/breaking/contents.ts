import type { Direction } from './bounds.ts';
import type { Report } from './change.ts';
import { type Document, entriesOf, isNode, type Node } from './document.ts';
import type { SchemaComparison } from './schemas.ts';
import type { SharedParts } from './shared.ts';

/** What each part of the comparison works with. */
export interface Tools {
  readonly before: Document;
  readonly after: Document;
  readonly shared: SharedParts;
  readonly schemas: SchemaComparison;
  readonly report: Report;
}

/** Compares the schemas of a body by media type. */
export function compareContents(at: string, before: Node, after: Node, side: Direction, tools: Tools): void {
  const left = isNode(after.content) ? after.content : {};
  for (const [type, media] of entriesOf(before.content)) {
    const now = left[type];
    if (!isNode(now)) tools.report('media-type-removed', `${at} ${type}`, 'is gone');
    else tools.schemas.compare(media.schema ?? {}, now.schema ?? {}, side, at);
  }
}
