import { dirname } from 'node:path';

/** A test file whose process has ended. */
export interface EndedFile {
  readonly path: string;
  readonly tests: number;
  readonly duration_ms: number;
  readonly isGood: boolean;
}

/**
 * A table of the time that each folder of tests took with its subfolders, the slowest first. Files run side by side, so
 * the run takes less than the sum.
 */
export function folderTimes(files: readonly EndedFile[]): string {
  const folders = new Map<string, { tests: number; files: number; duration_ms: number }>();
  for (const { path, tests, duration_ms } of files) {
    const name = dirname(path).split('/').slice(0, 2).join('/');
    const folder = folders.get(name) ?? { tests: 0, files: 0, duration_ms: 0 };
    folder.tests += tests;
    folder.files += 1;
    folder.duration_ms += duration_ms;
    folders.set(name, folder);
  }
  const rows = [...folders].sort(([, a], [, b]) => b.duration_ms - a.duration_ms);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, folder]) => {
    const seconds = (folder.duration_ms / 1_000).toFixed(1).padStart(7);
    return `${name.padEnd(width)}  ${seconds} s  ${folder.files} files, ${folder.tests} tests`;
  });
  return ['', 'Time per folder:', ...lines, ''].join('\n');
}
