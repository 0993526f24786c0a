/**
 * The whole service with its simulated acquirer, in a process that kills itself at the point CRASH_AT: a recovery point
 * of the service, a point in the acquirer's work, or `presented_<status>`, in the transaction that writes an event of a
 * payment with this status. With CRASH_AT_REQUEST=5, the first four requests stop at that
 * point in the acquirer and wait, and the fifth kills the process.
 */
import { type IncomingMessage, Server, ServerResponse } from 'node:http';
import { startService } from '../../../composition/service.ts';
import { readConfig } from '../../../config.ts';
import { presenters } from '../../../handlers/presenters.ts';
import type { Presenters } from '../../../services/deps.ts';

/** The acquirer's operations on payments and disputes, without the inquiry. */
const OPERATIONS =
  /^\/v1\/(authorizations|pix-charges|bank-slips|captures|cancellations|refunds|dispute-evidence)$/;

const crashAt = process.env.CRASH_AT;
let requestsLeft = Number(process.env.CRASH_AT_REQUEST ?? 1);

/** Whether a request stops at this moment. */
function stopsAt(moment: string): boolean {
  if (moment !== crashAt) return false;
  requestsLeft -= 1;
  if (requestsLeft === 0) process.kill(process.pid, 'SIGKILL');
  return true;
}

// The acquirer has received a request and has not worked on it.
const emit = Server.prototype.emit as unknown as (...args: unknown[]) => boolean;
Server.prototype.emit = function (this: Server, ...args: unknown[]) {
  const isRequest = args[0] === 'request' && OPERATIONS.test((args[1] as IncomingMessage).url!);
  return isRequest && stopsAt('request_received') ? true : emit.apply(this, args);
};

// The acquirer has committed its records and is about to answer.
const writeHead = ServerResponse.prototype.writeHead as unknown as (...args: unknown[]) => ServerResponse;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  if (!OPERATIONS.test(this.req.url!) || !stopsAt('books_committed')) return writeHead.apply(this, args);
  this.end = () => this;
  return this;
};

const silent = { info() {}, warn() {}, error() {} };
const payment: Presenters['payment'] = (deps, shown) => {
  stopsAt(`presented_${shown.status}`);
  return presenters.payment(deps, shown);
};
const service = await startService(readConfig(process.env), silent, {
  reached: stopsAt,
  present: { ...presenters, payment },
});
process.stdout.write(`API ${service.url}\n`);
