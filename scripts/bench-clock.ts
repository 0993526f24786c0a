/**
 * Measures how fast the clock of a sandbox moves, and writes the results to scripts/bench/clock.md.
 *
 * Usage: make bench-clock                 two minutes, on an idle machine
 *        make bench-clock REHEARSE=yes    a few seconds, to see that it runs. Its figures mean nothing and are only
 *        printed
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ClockMove, clockTable, FULL, measureClock, REHEARSAL } from './bench/clock.ts';
import { createEnvironment } from './bench/processes.ts';

const { values } = parseArgs({ options: { rehearse: { type: 'boolean', default: false } } });

function page(moves: readonly ClockMove[]): string {
  const memory_GiB = Math.round(totalmem() / 2 ** 30);
  return `# Performance of the clock

This page is written by \`make bench-clock\`. One process is a sandbox as \`make start\` runs it, with one Postgres (fsync on),
on a machine with ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory_GiB} GiB of memory and Node ${process.version}.

## Subscriptions

The time from the request that moves the clock until it has arrived, several times in one process, each time with the
subscriptions of a new merchant. The first move by card is the first one of a new process. All other values are medians. The
subscriptions are monthly, and their first charges are spread over 30 days. The processor time of the service includes the
simulated acquirer.

${clockTable(moves)}
`;
}

const environment = await createEnvironment('bench-clock');
try {
  const results = page(await measureClock(environment, values.rehearse ? REHEARSAL : FULL));
  if (!values.rehearse) writeFileSync(join(import.meta.dirname, 'bench/clock.md'), results);
  console.log(results);
} finally {
  await environment.stop();
}
process.exit(0);
