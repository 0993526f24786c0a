/**
 * Generates the files in `generated/` from the contract in `spec/`: the bundled document as JSON and YAML, its form for
 * client generators, and its TypeScript types. The same contract always gives the same bytes, so that a test can find
 * stale files.
 *
 * Usage: npm run generate [-- --out <folder>]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { clientCopy } from './clients/client-copy.ts';
import { magicValueTables } from './magic-value-tables.ts';

type Json = Record<string, unknown>;

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'generated') } } });
const out = values.out;

mkdirSync(out, { recursive: true });
const json = join(out, 'openapi.json');
bundle(join(root, 'spec/openapi.yaml'), json);
const bundled = JSON.parse(readFileSync(json, 'utf8')) as Json;
const document = withOwnSchemas(withOwnHeaders(withPermissions(withMagicValues(sortComponents(bundled)))));
writeJson(json, document);
writeJson(join(out, 'openapi-clients.json'), clientCopy(document));
const yaml = join(out, 'openapi.yaml');
bundle(json, yaml);
writeFileSync(yaml, `${readFileSync(yaml, 'utf8').trimEnd()}\n`);
await writeTypes(json, join(out, 'types.ts'));

function writeJson(to: string, document: Json): void {
  writeFileSync(to, `${JSON.stringify(document, null, 2)}\n`);
}

/** Bundles a split document into one file, as JSON or YAML by its extension. Shared parts stay named components. */
function bundle(from: string, to: string): void {
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
  const { status, stderr } = spawnSync(process.execPath, [redocly, 'bundle', from, '--output', to], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  if (status === 0) return;
  process.stderr.write(`The contract cannot be bundled. npm run lint:spec shows more.\n${stderr}`);
  process.exit(1);
}

/** Sorts components by name. The bundler writes them in the order of their first use, which changes with every edit. */
function sortComponents(document: Json): Json {
  const components = Object.entries(document.components as Record<string, Json>).sort(byName);
  const sorted = components.map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).sort(byName)),
  ]);
  return { ...document, components: Object.fromEntries(sorted) };
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Writes the magic values of the simulator into the chapter about the sandbox. */
function withMagicValues(document: Json): Json {
  const tags = (document.tags as Json[]).map((tag) => {
    const text = String(tag.description);
    return { ...tag, description: text.replace(/<!-- magic values.*-->/, magicValueTables()) };
  });
  return { ...document, tags };
}

/** Appends the required permission to the description of each operation, as the docs do not show extensions. */
function withPermissions(document: Json): Json {
  const paths = structuredClone(document.paths) as Record<string, Record<string, Json>>;
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const permission = operation['x-permission'];
    if (permission === undefined) continue;
    const approved = operation['x-moves-money'] === true ? ' Your account must be `approved`.' : '';
    operation.description = `${operation.description}\n\nPermission: \`${permission}\`.${approved}`;
  }
  return { ...document, paths };
}

/**
 * Inlines the headers of a delivery into each webhook, and removes shared parameters that no path uses. oapi-codegen
 * drops unused parameters, and code that refers to them then lacks their types.
 */
function withOwnHeaders(document: Json): Json {
  const components = document.components as Record<string, Json>;
  const shared = components.parameters ?? {};
  const webhooks = structuredClone(document.webhooks) as Record<string, { post: { parameters: Json[] } }>;
  for (const { post } of Object.values(webhooks)) {
    post.parameters = post.parameters.map(
      (parameter) => shared[String(parameter.$ref).split('/').at(-1)!] as Json,
    );
  }
  const paths = JSON.stringify(document.paths);
  const used = Object.entries(shared).filter(([name]) => paths.includes(`"#/components/parameters/${name}"`));
  return { ...document, webhooks, components: { ...components, parameters: Object.fromEntries(used) } };
}

/** Inlines schemas that only webhooks use into them, because oapi-codegen drops these too. */
function withOwnSchemas(document: Json): Json {
  const { schemas = {}, ...others } = document.components as Record<string, Json>;
  const kept = new Set<string>();
  const keep = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (kept.has(name)) continue;
      kept.add(name);
      keep(schemas[name]);
    }
  };
  keep([document.paths, others]);
  const inlined = (node: unknown): unknown =>
    JSON.parse(JSON.stringify(node), (_key, value) => {
      const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(value?.$ref) ?? [];
      return name === undefined || kept.has(name) ? value : inlined(schemas[name]);
    });
  const components = {
    ...(document.components as Json),
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name))),
  };
  return { ...document, webhooks: inlined(document.webhooks), components };
}

/** Writes the types of all operations and components. A field with a default stays optional for callers. */
async function writeTypes(from: string, to: string): Promise<void> {
  const nodes = await openapiTS(readFileSync(from, 'utf8'), { defaultNonNullable: false });
  writeFileSync(to, `${COMMENT_HEADER}${astToString(nodes)}`);
}
