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

/** A running process of Prism. Disposing of it ends the process. */
export interface Prism extends AsyncDisposable {
  /** Origin such as `http://127.0.0.1:4010`. The operations are below `/api/v1`, as in the service. */
  readonly url: string;
  readonly process: ChildProcess;
}

export interface PrismOptions {
  /** The bundled contract, JSON. */
  readonly document: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The service to check. Without one, Prism answers from the examples. */
  readonly upstream?: string;
  /** Called with each line that Prism prints after it listens. */
  readonly onLine?: (line: string) => void;
}

/**
 * Starts Prism as a mock of the contract, or as a proxy that answers 500 instead of an answer that violates the
 * contract. Throws with Prism's output when it does not start. The proxy does not check requests, so that the service
 * refuses bad ones itself and its refusals are checked.
 */
export async function startPrism({ document, port, upstream, onLine }: PrismOptions): Promise<Prism> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-prism-'));
  const file = join(folder, 'openapi.json');
  const contract = withPrefixedPaths(JSON.parse(document));
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

/** Puts the server's prefix before each path, as Prism ignores it. */
function withPrefixedPaths(document: Json): Json {
  const prefix = (document.servers as { url: string }[])[0]!.url;
  const paths = Object.entries(document.paths as Json).map(([path, item]) => [`${prefix}${path}`, item]);
  return { ...document, servers: [], paths: Object.fromEntries(paths) };
}

/** Removes security, because the proxy would refuse requests without a key itself. */
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
  let isListening = false;
  let output = '';
  const read = (line: string) => {
    if (isListening) return onLine(line);
    output += `${line}\n`;
    const url = /listening on (http:\/\/\S+)/.exec(line)?.[1];
    if (url === undefined) return;
    isListening = true;
    resolve(url);
  };
  createInterface(child.stdout!).on('line', read);
  createInterface(child.stderr!).on('line', read);
  child.once('close', () => {
    // Prism prints its help together with the reason.
    const taken = /EADDRINUSE: address already in use (\S+)/.exec(output)?.[1];
    const why =
      taken === undefined
        ? `Prism ended before it listened.\n${output}`
        : `Something else listens on ${taken}.`;
    reject(new Error(why));
  });
  return promise;
}
