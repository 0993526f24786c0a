import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * The limit of a file, which each of its tests has too. Alone, a file of a group takes less than 50 s.
 */
const TIMEOUT_MS = 30 * 60_000;

/**
 * Runs test files one after another in this process, each as a test around its own. What a file registers with `after`
 * runs at the end of that file, so its service stops before the next file starts one.
 */
export function runGroup(root: string, files: readonly string[]): void {
  for (const file of files) {
    test(file, { timeout: TIMEOUT_MS }, async () => {
      await import(pathToFileURL(resolve(root, file)).href);
    });
  }
}
