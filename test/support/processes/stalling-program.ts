/**
 * The whole service in a process that stops itself (SIGSTOP) inside a transaction: when it writes the event of a
 * payment that has reached the status STALL_AT, once.
 */

import { startService } from '../../../composition/service.ts';
import { readConfig } from '../../../config.ts';
import { presenters } from '../../../handlers/presenters.ts';
import type { Presenters } from '../../../services/deps.ts';

const silent = { info() {}, warn() {}, error() {} };
let hasStalled = false;

const payment: Presenters['payment'] = (deps, shown) => {
  if (!hasStalled && shown.status === process.env.STALL_AT) {
    hasStalled = true;
    process.kill(process.pid, 'SIGSTOP');
  }
  return presenters.payment(deps, shown);
};

const service = await startService(readConfig(process.env), silent, { present: { ...presenters, payment } });
process.stdout.write(`API ${service.url}\n`);
