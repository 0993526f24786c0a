/**
 * Measures when a buyer with a slow phone sees each page of the checkout, and writes the results to
 * scripts/bench/first-paint.md. Needs Chromium.
 *
 * Usage: make bench-first-paint                 two minutes, on an idle machine
 *        make bench-first-paint REHEARSE=yes    a few seconds, to see that it runs. Its figures mean nothing and are
 *        only printed
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FirstPaints, firstPaintTable, measureFirstPaints } from './bench/first-paint.ts';
import { createEnvironment } from './bench/processes.ts';

const LOADS = 15;

const { values } = parseArgs({ options: { rehearse: { type: 'boolean', default: false } } });

function page(results: readonly FirstPaints[], load: number): string {
  return `# First paint on a slow phone

This page is written by \`make bench-first-paint\`. It shows the time from the request until Chromium shows the first text of a
page for buyers: the median of ${LOADS} loads, each with an empty cache, a processor six times slower than this one
(${cpus()[0]?.model.trim() ?? 'unknown'}), and the network of a slow 4G phone (1.6 Mbit/s, 150 ms for each round trip). The limit
is one second on an idle machine. The browser, the service and Postgres run on one machine with ${cpus().length} processors. Its load average
was ${load.toFixed(1)} before the first load; above 1, other programs have delayed the paints.

${firstPaintTable(results)}
`;
}

const environment = await createEnvironment('bench-first-paint');
try {
  const [load] = loadavg();
  const results = page(await measureFirstPaints(environment, values.rehearse ? 1 : LOADS), load!);
  if (!values.rehearse) writeFileSync(join(import.meta.dirname, 'bench/first-paint.md'), results);
  console.log(results);
} finally {
  await environment.stop();
}
process.exit(0);
