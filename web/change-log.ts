import { escapeHtml, tableHtml } from './html.ts';
import { toHtml } from './markdown.ts';

/** A breaking change as `spec/changes.yaml` declares it. */
interface Change {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly kind: string;
  readonly where: string;
  readonly change: string;
  readonly reason: string;
}

/** The changes that a text of this form declares, newest first. Without any, the result is a sentence that says so. */
export async function changeLogHtml(yaml: string): Promise<string> {
  // Imported here because the service runs without this package.
  const { parse } = await import('yaml');
  const { changes } = parse(yaml) as { changes: readonly Change[] };
  if (changes.length === 0)
    return '<p>There are no breaking changes so far. Clients of the first version still work.</p>';
  const newestFirst = changes.toReversed();
  const rows = newestFirst.map(({ date, where, change, reason }) => [
    escapeHtml(date),
    `<code>${escapeHtml(where)}</code>`,
    toHtml(change),
    toHtml(reason),
  ]);
  return tableHtml(['Date', 'Where', 'What to do', 'Why'], rows);
}
