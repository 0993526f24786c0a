/**
 * The whole service, with its simulated acquirer, in a process that kills itself at DIE_AT: a recovery point of ours,
 * or a moment of the acquirer's. With DIE_WITH=5 the acquirer keeps four requests at that moment and dies with the
 * fifth. Prints its address when it listens.
 */
import { type IncomingMessage, Server, ServerResponse } from 'node:http';
import { readConfig } from '../../config.ts';
import { startService } from '../../main.ts';

/** The acquirer's operations on payments; what asks what became of them is not among them. */
const OPERATIONS = /^\/v1\/(authorizations|pix-charges|captures|cancellations|refunds)$/;

const dieAt = process.env.DIE_AT;
let lives = Number(process.env.DIE_WITH ?? 1);

/** Whether a request goes no further than this moment. */
function endsAt(moment: string): boolean {
  if (moment !== dieAt) return false;
  lives -= 1;
  if (lives === 0) process.kill(process.pid, 'SIGKILL');
  return true;
}

// The acquirer has a request and has done nothing of it.
const emit = Server.prototype.emit as unknown as (...args: unknown[]) => boolean;
Server.prototype.emit = function (this: Server, ...args: unknown[]) {
  const isRequest = args[0] === 'request' && OPERATIONS.test((args[1] as IncomingMessage).url!);
  return isRequest && endsAt('request_received') ? true : emit.apply(this, args);
};

// The acquirer has committed its books and is about to answer.
const writeHead = ServerResponse.prototype.writeHead as unknown as (...args: unknown[]) => ServerResponse;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  if (!OPERATIONS.test(this.req.url!) || !endsAt('books_committed')) return writeHead.apply(this, args);
  this.end = () => this;
  return this;
};

const silent = { info() {}, warn() {}, error() {} };
const service = await startService(readConfig(process.env), silent, { reached: endsAt });
process.stdout.write(`${service.url}\n`);
