/** The service of main.ts with a limit of no requests: it refuses all of them. Prints its address. */

import { startService } from '../../composition/service.ts';
import { readConfig } from '../../config.ts';

const SILENT = { info() {}, warn() {}, error() {} };

const service = await startService({ ...readConfig(process.env), maxInFlight: 0 }, SILENT);
process.stdout.write(`${service.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void service.stop().then(() => process.exit(0)));
