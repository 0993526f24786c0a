import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import type { Scenario } from './scenarios.ts';

/** Shares of the main thread's time under load, largest first. */
export type Profile = readonly { readonly part: string; readonly share: number }[];

interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Runs a service under V8's profiler. The time before the load is left out. */
export async function profile(bench: BenchContext, scenario: Scenario): Promise<Profile> {
  const { setup, loader, pace } = bench;
  const dir = mkdtempSync(join(tmpdir(), 'centavo-profile-'));
  const began = performance.now();
  const service = await setup.startService(['--cpu-prof', `--cpu-prof-dir=${dir}`]);
  const job = jobOf(bench, scenario, service);
  await loader.run({ ...job, seconds: pace.heat_s });
  const heated_us = (performance.now() - began) * 1000;
  await loader.run({ ...job, seconds: pace.round_s * 2 });
  await service.stop();
  const [file] = readdirSync(dir);
  if (file === undefined) throw new Error('The profiler wrote nothing.');
  return shares(JSON.parse(readFileSync(join(dir, file), 'utf8')), heated_us);
}

function shares({ nodes, samples, timeDeltas }: CpuProfile, from_us: number): Profile {
  const partOf = new Map(nodes.map(({ id, callFrame }) => [id, part(callFrame)]));
  const spent = new Map<string, number>();
  let elapsed = 0;
  samples.forEach((id, index) => {
    elapsed += timeDeltas[index]!;
    const name = partOf.get(id)!;
    if (elapsed < from_us || name === '(idle)') return;
    spent.set(name, (spent.get(name) ?? 0) + timeDeltas[index]!);
  });
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .map(([name, time]) => ({ part: name, share: time / total }))
    .sort((a, b) => b.share - a.share);
}

/** The purpose of the code, for people. */
function part({ functionName, url }: { functionName: string; url: string }): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library !== undefined) return LIBRARIES[library] ?? 'other libraries';
  // Row readers and validators are compiled at run time.
  if (url.startsWith('file:') || functionName === 'readRow') return 'our own code';
  if (/^validate\d+$/.test(functionName)) return LIBRARIES.ajv!;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(idle)') return functionName;
  if (/^write|^writev$/.test(functionName)) return 'writing to sockets and the log';
  if (url.startsWith('node:internal/crypto')) return 'hashes and random numbers';
  return "Node's HTTP, sockets and timers";
}

const LIBRARIES: Readonly<Record<string, string>> = {
  pg: 'pg, its protocol and types',
  'pg-protocol': 'pg, its protocol and types',
  'pg-types': 'pg, its protocol and types',
  'postgres-array': 'pg, its protocol and types',
  'postgres-date': 'pg, its protocol and types',
  knex: 'Knex, which builds the lists',
  tarn: 'the pool of connections',
  'openapi-backend': 'openapi-backend',
  lodash: 'openapi-backend',
  ajv: 'Ajv and its formats',
  'ajv-formats': 'Ajv and its formats',
  pino: 'the log',
  'sonic-boom': 'the log',
  'prom-client': 'the metrics',
  qrcode: 'the QR code',
  dijkstrajs: 'the QR code',
  undici: 'the call to the acquirer',
};
