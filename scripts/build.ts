/**
 * Builds what the service serves in addition to the API into web/dist/: the docs, and the card encryption library. The
 * service starts from these files alone, so neither the renderer nor the bundler is installed in production.
 * `make start` runs this when a source is newer than what was built.
 *
 * Usage: npm run build
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mandateMachine } from '../domain/payments/mandate-moves.ts';
import { PAYMENT_STATUS_MOVES } from '../domain/payments/payment-status-moves.ts';
import { statusChangesByMethod } from '../domain/subscriptions/status-changes.ts';
import { MAGIC_VALUES } from '../gateway/simulator/magic-values.ts';
import { DIST, MANIFEST } from '../web/built-site.ts';
import { siteFiles } from '../web/site-files.ts';

const folder = fileURLToPath(DIST);
const built = await siteFiles({
  paymentMoves: PAYMENT_STATUS_MOVES,
  subscriptionChanges: statusChangesByMethod(),
  mandateMoves: mandateMachine.moves,
  testValues: MAGIC_VALUES,
});
for (const { file, content } of built) await write(file, content);
const files = built.map(({ content: _, ...file }) => file);
await write(MANIFEST, `${JSON.stringify({ files }, null, 2)}\n`);
await removeOthers(new Set([MANIFEST, ...files.map(({ file }) => file)]));

/** Replaces the file at once, so that a running service never reads a part of it. */
async function write(file: string, content: string | Buffer): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

/** Removes what an earlier version built and this one does not. */
async function removeOthers(known: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isUnfinished = /\.\d+$/.test(entry.name);
    if (entry.isFile() && !isUnfinished && !known.has(path.slice(folder.length)))
      await rm(path, { force: true });
  }
}
