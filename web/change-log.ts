import { readFile } from 'node:fs/promises';
import { escapeHtml, tableHtml } from './html.ts';
import { toHtml } from './markdown.ts';

const FILE = new URL('../spec/changes.yaml', import.meta.url);

/** A breaking change as `spec/changes.yaml` declares it. */
interface Change {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly kind: string;
  readonly where: string;
  readonly change: string;
  readonly reason: string;
}

/** The declared changes of the contract, newest first, as HTML. */
export async function changeLog(): Promise<string> {
  return changeLogHtml(await readFile(FILE, 'utf8'));
}

/** The same of the file's text. Where nothing was declared, a sentence that says so. */
export async function changeLogHtml(yaml: string): Promise<string> {
  // Only when it is asked for: the service starts without it.
  const { parse } = await import('yaml');
  const { changes } = parse(yaml) as { changes: readonly Change[] };
  if (changes.length === 0)
    return '<p>No breaking change so far: whatever was written for the first version still works.</p>';
  const newestFirst = changes.toReversed();
  const rows = newestFirst.map(({ date, where, change, reason }) => [
    escapeHtml(date),
    `<code>${escapeHtml(where)}</code>`,
    toHtml(change),
    toHtml(reason),
  ]);
  return tableHtml(['Date', 'Where', 'What to do', 'Why'], rows);
}
