/**
 * Mocks the service from its contract: Prism answers every operation with the contract's examples, and refuses bodies
 * that the contract does not allow. Nothing is stored. Ctrl-C stops it.
 *
 * Usage: npm run mock [-- --port <port>] [-- --upstream <url>]      the default port is PORT, else 4010
 *
 * The example fits the request: an order by Pix is answered with a payment by Pix. `Prefer: code=404` asks for the
 * answer with a status, `Prefer: example=order_refused` for an example by its name. An unknown name is answered with
 * 400, which lists the names of the operation.
 *
 * With --upstream it forwards requests to a running service. An answer that violates the contract is replaced by a 500
 * that says what is wrong. The README describes what is checked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startMock } from './mock/mock.ts';
import { startPrism } from './mock/prism.ts';
import { rootAddress } from './root-address.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, upstream: { type: 'string' } } });
const port = Number(values.port ?? process.env.PORT ?? 4010);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`The port must be a number from 0 to 65535, not ${values.port ?? process.env.PORT}.`);
  process.exit(1);
}

try {
  const document = readFileSync(join(import.meta.dirname, '../generated/openapi.json'), 'utf8');
  const onLine = (line: string) => console.log(line);
  const prism =
    values.upstream === undefined
      ? await startMock({ document, port, onLine })
      : await startPrism({ document, port, upstream: rootAddress(values.upstream), onLine });
  console.log(
    values.upstream === undefined
      ? `The mock listens at ${prism.url}/api/v1. It accepts any bearer token.`
      : `Requests to ${prism.url}/api/v1 are forwarded to ${values.upstream}.`,
  );
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      isStopping = true;
      await prism[Symbol.asyncDispose]();
      process.exit(0);
    });
  }
  prism.process.once('exit', (code, signal) => {
    // Ctrl-C reaches both processes, and Prism may end first.
    if (isStopping || signal === 'SIGINT') return;
    console.error(`Prism has ended${signal === null ? '' : ` by ${signal}`}.`);
    process.exit(code || 1);
  });
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
