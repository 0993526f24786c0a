import { importsOf, type Source } from './sources.ts';

/**
 * The areas of the trade, lowest first: a file may import from its own area and from those before it, in every room.
 * An area is a folder in a room; the files of a room that are in no area come after `vault`.
 */
const AREAS = [
  // Tools of one room: the database engine, HTTP.
  'engine',
  'http',
  'vault',
  '',
  'merchants',
  'account',
  'events',
  'webhooks',
  'customers',
  'recipients',
  'cards',
  'ledger',
  'wallet',
  'payments',
  'disputes',
  'products',
  'orders',
  'links',
  'checkout',
  'emails',
  'subscriptions',
  'clock',
  'sandbox',
  // Work on the tables of all areas: rotation of keys, deletion of old rows.
  'maintenance',
] as const;

/** Rooms that are laid out by area. */
const ROOMS = ['domain', 'db', 'services', 'handlers', 'jobs'];

/** These list every area's part of something and may import from all of them. */
const COMPOSITION = ['handlers/index.ts', 'handlers/presenters.ts', 'jobs/index.ts'];

/** These name the types of every area's part and may import types from all of them. */
const INTERFACES = ['services/deps.ts'];

/** One sentence for each import that climbs from an area to one above it. */
export function climbingImports(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => isInRoom(path) && !COMPOSITION.includes(path))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ isOurs, target }) => isOurs && roomOf(target) === roomOf(source.path))
        .filter(({ isType }) => !(isType && INTERFACES.includes(source.path)))
        .filter(({ target }) => rankOf(target) > rankOf(source.path))
        .map(({ target }) => `${source.path} must not import ${target}: its area is above.`),
    );
}

/** Folders whose folders are areas. */
const LAID_OUT = [
  ...ROOMS,
  ...ROOMS.map((room) => `test/${room}`),
  'spec/schemas',
  'spec/examples',
  'spec/operations',
];

/** One sentence for each folder that is laid out by area and has a folder that is not one. */
export function unknownAreas(paths: readonly string[]): string[] {
  const folders = paths
    .filter((path) => /\.(ts|yaml)$/.test(path))
    .flatMap((path) =>
      LAID_OUT.filter((room) => path.startsWith(`${room}/`)).map((room) => {
        const [area, ...rest] = path.slice(room.length + 1).split('/');
        return `${room}/${rest.length > 0 ? area : ''}`;
      }),
    );
  return [...new Set(folders)]
    .filter((folder) => !isArea(folder.split('/').at(-1)!))
    .map((folder) => `${folder} is not in the list of areas.`);
}

/** One sentence for each ring of files that import each other, in tests and scripts too. */
export function importCycles(sources: readonly Source[]): string[] {
  const imports = new Map(
    sources.map((source) => [source.path, importsOf(source).filter(({ isOurs }) => isOurs)] as const),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at !== -1) {
      cycles.push(`${[...trail.slice(at), path].join(' imports ')}.`);
      return;
    }
    if (done.has(path)) return;
    for (const { target } of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

function isInRoom(path: string): boolean {
  return ROOMS.includes(roomOf(path)) && path.endsWith('.ts');
}

function roomOf(path: string): string {
  return path.split('/', 1)[0]!;
}

/** The folder below the room; empty for a file of the room itself. */
function areaOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 2 ? parts[1]! : '';
}

function isArea(name: string): boolean {
  return (AREAS as readonly string[]).includes(name);
}

function rankOf(path: string): number {
  return (AREAS as readonly string[]).indexOf(areaOf(path));
}
