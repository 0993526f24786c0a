import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * Runs test files one after another in this process, each as a test around its own. What a file registers with `after`
 * runs at the end of that file, so its service stops before the next file starts one.
 */
export function runGroup(root: string, files: readonly string[]): void {
  for (const file of files) {
    test(file, async () => {
      await import(pathToFileURL(resolve(root, file)).href);
    });
  }
}
