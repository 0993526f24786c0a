import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { toHtml } from './markdown.ts';

const FILE = new URL('../spec/changes.yaml', import.meta.url);

/** The declared changes of the contract, newest first, as HTML. Without a file of changes, a sentence that says so. */
export async function changeLog(): Promise<string> {
  let text: string;
  try {
    text = await readFile(FILE, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    text = '';
  }
  return changeLogHtml(text);
}

/** The same of the file's text: a list, or a list under `changes`, of entries with whatever they tell. */
export function changeLogHtml(yaml: string): string {
  const document: unknown = parse(yaml);
  const entries = listIn(document);
  if (entries.length === 0)
    return '<p>No breaking change so far: whatever was written for the first version still works.</p>';
  const newestFirst = entries.toSorted((a, b) => String(b.date ?? '').localeCompare(String(a.date ?? '')));
  return toHtml(newestFirst.map(entryMarkdown).join('\n\n'));
}

type Entry = Readonly<Record<string, unknown>>;

function listIn(document: unknown): Entry[] {
  const list = isObject(document) ? document.changes : document;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** `- **2026-11-21** Change. *Why:* reason.` */
function entryMarkdown({ date, version, change, summary, title, reason, ...rest }: Entry): string {
  const when = [date, version].filter((part) => part !== undefined).join(', ');
  const what =
    change ??
    summary ??
    title ??
    Object.values(rest)
      .filter((value) => typeof value === 'string')
      .join(' · ');
  return `- ${when === '' ? '' : `**${when}** `}${oneLine(what)}${reason === undefined ? '' : ` *Why:* ${oneLine(reason)}`}`;
}

function oneLine(value: unknown): string {
  return String(value).replaceAll(/\s+/g, ' ').trim();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
