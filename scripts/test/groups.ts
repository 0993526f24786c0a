import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What the runner starts as one process: a test file, or a program that runs several (run-group.ts). The start of a
 * process with a service takes 1.5 s of processor time, and its first requests as much again until V8 has compiled the
 * code. 14 files of orders took 53 s alone and 21 s in one process.
 */
export interface Process {
  readonly path: string;
  readonly files: readonly string[];
}

/** Most files of a process, so that every processor has work until the end. */
const MAX_FILES = 20;
/** Folders of files that start services in their own process, or none, and leave nothing behind. */
const GROUPED = /(?:^|\/)test\/(clients|contract|db|domain|gateway|handlers|jobs|services|support|web)\//;

/** Files that run alone, because they change or measure their whole process. */
export const ALONE: readonly string[] = ['test/handlers/http/slow-readers.test.ts'];

export interface Processes extends Disposable {
  readonly all: readonly Process[];
}

/**
 * Puts files of the same folder together. The files that run alone come first, and the others that cannot share a
 * process last, as they are short. The programs exist until disposal.
 */
export function processesOf(root: string, files: readonly string[], alone: readonly string[]): Processes {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'centavo-groups-')));
  const all = groupsOf(files, alone).map((group, index) => {
    if (group.length === 1) return { path: realpathSync(resolve(root, group[0]!)), files: group };
    const path = join(folder, `group-${index}.mjs`);
    writeFileSync(path, programOf(root, group));
    return { path, files: group };
  });
  return { all, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** The files of each process. */
function groupsOf(files: readonly string[], alone: readonly string[]): string[][] {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const room = alone.includes(file) ? undefined : GROUPED.exec(file)?.[1];
    const group = room === undefined ? undefined : open.get(room);
    if (group !== undefined && group.length < MAX_FILES) {
      group.push(file);
      continue;
    }
    const begun = [file];
    groups.push(begun);
    if (room !== undefined) open.set(room, begun);
  }
  const rankOf = ([file, second]: readonly string[]) =>
    alone.includes(file!) ? 0 : second === undefined ? 2 : 1;
  return groups.sort((a, b) => rankOf(a) - rankOf(b));
}

function programOf(root: string, files: readonly string[]): string {
  const runner = pathToFileURL(join(import.meta.dirname, 'run-group.ts'));
  return `import { runGroup } from '${runner}';\nrunGroup(${JSON.stringify(root)}, ${JSON.stringify(files)});\n`;
}
