/** The programs of the guide "Webhooks", started as a reader starts them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from '../../support/processes/apt-program.ts';
import { until } from '../../support/until.ts';

const FOLDER = join(import.meta.dirname, '../../../web/receivers');

/** How the program of a language is compiled, if it is, and run. `folder` is for what they write. */
interface Language {
  readonly needs: Program;
  readonly compile?: (folder: string) => readonly string[];
  readonly run: (folder: string, port: number) => readonly string[];
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: {
    needs: { command: process.execPath, asks: ['--version'], aptPackage: 'nodejs' },
    run: () => [process.execPath, 'receiver.ts'],
  },
  python: {
    needs: { command: 'python3', asks: ['--version'], aptPackage: 'python3' },
    run: () => ['python3', 'receiver.py'],
  },
  go: {
    needs: { command: 'go', asks: ['version'], aptPackage: 'golang-go' },
    compile: (folder) => ['go', 'build', '-o', join(folder, 'receiver'), 'receiver.go'],
    run: (folder) => [join(folder, 'receiver')],
  },
  java: {
    needs: { command: 'javac', asks: ['-version'], aptPackage: 'default-jdk-headless' },
    compile: (folder) => ['javac', '-d', folder, 'Receiver.java'],
    run: (folder) => ['java', '-cp', folder, 'Receiver'],
  },
  php: {
    needs: { command: 'php', asks: ['--version'], aptPackage: 'php-cli' },
    run: (_folder, port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
};

/** A running receiver. */
export interface RunningReceiver extends AsyncDisposable {
  readonly url: string;
  /** The lines that it printed about this delivery. */
  handled(deliveryId: string): readonly string[];
}

/** A program that is ready to run, with a folder of its own. */
export class ReceiverProgram implements AsyncDisposable {
  readonly #language: Language;
  readonly #folder: string;

  private constructor(language: Language, folder: string) {
    this.#language = language;
    this.#folder = folder;
  }

  static async compile(language: string): Promise<ReceiverProgram> {
    const how = LANGUAGES[language]!;
    const folder = await mkdtemp(join(tmpdir(), 'centavo-receiver-'));
    if (how.compile !== undefined) {
      const [command, ...args] = how.compile(folder) as [string, ...string[]];
      execFileSync(command, args, { cwd: FOLDER, stdio: 'inherit' });
    }
    return new ReceiverProgram(how, folder);
  }

  /** Starts the program with the secret of an endpoint. Resolves when it listens. */
  async start(secret: string): Promise<RunningReceiver> {
    const port = await freePort();
    const [command, ...args] = this.#language.run(this.#folder, port) as [string, ...string[]];
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), TMPDIR: this.#folder };
    const child = spawn(command, args, { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    await until(`${command} listens`, () => {
      if (child.exitCode !== null) throw new Error(`${command} ended: ${printed}`);
      return accepts(port);
    });
    return {
      url: `http://127.0.0.1:${port}/webhooks`,
      handled: (id) => printed.split('\n').filter((line) => line.includes(id)),
      [Symbol.asyncDispose]: () => end(child),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
