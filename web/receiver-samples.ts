import { readFile } from 'node:fs/promises';
import { toHtml } from './markdown.ts';

const FOLDER = new URL('./receivers/', import.meta.url);

/** A program in `web/receivers/` that receives webhooks. */
interface ReceiverSample {
  /** The language that the fence of a sample names. */
  readonly language: string;
  readonly file: string;
}

const RECEIVERS: readonly ReceiverSample[] = [
  { language: 'ts', file: 'receiver.ts' },
  { language: 'python', file: 'receiver.py' },
  { language: 'go', file: 'receiver.go' },
  { language: 'java', file: 'Receiver.java' },
  { language: 'php', file: 'receiver.php' },
];

/** The programs as samples, by language: `receiver go` and so on. */
export async function receiverFragments(): Promise<Record<string, string>> {
  const fragments = RECEIVERS.map(async ({ language, file }) => {
    const text = await readFile(new URL(file, FOLDER), 'utf8');
    return [`receiver ${language}`, toHtml(`\`\`\`${language}\n${text}\`\`\`\n`)] as const;
  });
  return Object.fromEntries(await Promise.all(fragments));
}
