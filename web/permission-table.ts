import { readFile } from 'node:fs/promises';
import { escapeHtml, tableHtml } from './html.ts';

const CONTRACT = new URL('../generated/openapi.json', import.meta.url);

interface Operation {
  readonly summary: string;
  readonly 'x-permission'?: string;
}

/** An HTML table of each permission and the operations that need it, in the order of the contract. */
export async function permissionTable(): Promise<string> {
  const { paths } = JSON.parse(await readFile(CONTRACT, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const byPermission = Map.groupBy(operations, (operation) => operation['x-permission']);
  const rows = [...byPermission].flatMap(([permission, those]) => {
    if (permission === undefined) return [];
    const summaries = those.map(({ summary }) => escapeHtml(summary)).join(', ');
    return [[`<code>${permission}</code>`, summaries]];
  });
  return tableHtml(['Permission', 'Operations'], rows);
}
