import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withClosedObjects } from '../contract/closed-objects.ts';

type Json = Record<string, unknown>;

const HEADER_TEXT = new URL('./header-text.ts', import.meta.url).href;

/** A running Prism, in a process of its own. Disposing of it ends the process. */
export interface Prism extends AsyncDisposable {
  /** Root of the server: `http://127.0.0.1:4010`. The operations are below `/api/v1`, as with the service. */
  readonly url: string;
  readonly process: ChildProcess;
}

export interface PrismOptions {
  /** The bundled contract, JSON. */
  readonly document: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** The service to stand in front of; without one Prism answers by itself, from the examples. */
  readonly upstream?: string;
  /** Is given each line that Prism prints once it listens. */
  readonly onLine?: (line: string) => void;
}

/**
 * Starts Prism as a mock of the contract, or as a proxy that answers 500 in place of an answer that is not in the
 * contract. Throws what Prism said when it does not come up. Requests are not judged by the proxy: how the service
 * refuses a bad one is what it is there to see.
 */
export async function startPrism({ document, port, upstream, onLine }: PrismOptions): Promise<Prism> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-prism-'));
  const file = join(folder, 'openapi.json');
  const contract = atItsAddress(JSON.parse(document));
  const checked = () => withoutSecurity(withClosedObjects(contract));
  await writeFile(file, JSON.stringify(upstream === undefined ? contract : checked()));
  const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli');
  const job =
    upstream === undefined
      ? ['mock', file]
      : ['proxy', file, upstream, '--errors', '--validate-request=false'];
  const program = ['--import', HEADER_TEXT, cli];
  const child = spawn(process.execPath, [...program, ...job, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await listening(child, onLine ?? (() => {}));
    return { url, process: child, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The document with each path where the service has it: Prism does not put the server's prefix before them. */
function atItsAddress(document: Json): Json {
  const prefix = (document.servers as { url: string }[])[0]!.url;
  const paths = Object.entries(document.paths as Json).map(([path, item]) => [`${prefix}${path}`, item]);
  return { ...document, servers: [], paths: Object.fromEntries(paths) };
}

/** A proxy would refuse a request without a key by itself. */
function withoutSecurity(document: Json): Json {
  const paths = Object.entries(document.paths as Record<string, Json>).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [
      method,
      { ...(operation as Json), security: [] },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, security: [], paths: Object.fromEntries(paths) };
}

function listening(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let isUp = false;
  let said = '';
  const read = (line: string) => {
    if (isUp) return onLine(line);
    said += `${line}\n`;
    const url = /listening on (http:\/\/\S+)/.exec(line)?.[1];
    if (url === undefined) return;
    isUp = true;
    resolve(url);
  };
  createInterface(child.stdout!).on('line', read);
  createInterface(child.stderr!).on('line', read);
  child.once('close', () => {
    // Prism prints its whole help around the reason.
    const taken = /EADDRINUSE: address already in use (\S+)/.exec(said)?.[1];
    const why =
      taken === undefined
        ? `Prism ended before it listened.\n${said}`
        : `Something else listens on ${taken}.`;
    reject(new Error(why));
  });
  return promise;
}
