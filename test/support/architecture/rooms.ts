import { type Import, importsOf, type Source } from './sources.ts';

/** Which room may import from which: the table of the architecture, as data. */
interface Room {
  /** Paths, or folders ending in `/`, that files of the room may import in addition to the room itself. */
  readonly imports: readonly string[];
  /** The same for imports of types. */
  readonly types?: readonly string[];
  /** Packages and Node's modules; absent: all that no other rule forbids. */
  readonly packages?: readonly string[];
}

const ROOMS: Readonly<Record<string, Room>> = {
  generated: { imports: [], packages: [] },
  domain: {
    imports: [],
    // Pure rules and tables of other packages. No input or output, no web, no database; randomness is passed in.
    packages: ['credit-card-type', 'i18n-iso-countries/index.js', 'node:zlib', 'temporal-polyfill'],
  },
  db: { imports: ['domain/'] },
  gateway: { imports: ['domain/'] },
  services: {
    imports: ['domain/', 'db/', 'gateway/acquirer.ts', 'gateway/sandbox-control.ts'],
    types: ['gateway/settlement-files.ts'],
  },
  handlers: {
    imports: [
      'services/',
      // Types of the domain, and functions that parse, check or format a single value.
      'domain/countries.ts',
      'domain/documents.ts',
      'domain/email.ts',
      'domain/field-names.ts',
      'domain/identifiers.ts',
      'domain/iso-instant.ts',
      'domain/local-time.ts',
      'domain/payments/mcc.ts',
      'domain/orders/order-status.ts',
      'domain/text.ts',
      // The rate limit of a key is checked before any use case runs.
      'domain/merchants/plans.ts',
    ],
    types: ['domain/', 'generated/'],
  },
  jobs: { imports: ['services/', 'db/', 'domain/'] },
  web: { imports: ['generated/', 'services/'] },
};

/** These wire everything together and may import anything. */
const FREE = /^(main\.ts|config\.ts|composition\/|scripts\/|test\/)/;

/** The only paths and folders, besides those in FREE, that may import a framework or a database driver. */
const RESTRICTED: readonly { packages: RegExp; users: readonly string[] }[] = [
  { packages: /^(express|openapi-backend)$/, users: ['handlers/http/', 'web/', 'gateway/simulator/'] },
  { packages: /^(pg|knex|tarn)(\/|$)/, users: ['db/', 'gateway/connect.ts', 'gateway/simulator/'] },
];

/** Folders that are no room of code. */
const OTHER_FOLDERS = ['.ci', 'composition', 'scripts', 'spec', 'test'];

/** One sentence for each import that the table does not allow. */
export function forbiddenImports(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !FREE.test(path))
    .flatMap((source) =>
      importsOf(source)
        .filter((imported) => !isAllowed(source.path, imported))
        .map(({ target }) => `${source.path} must not import ${target}.`),
    );
}

function isAllowed(path: string, imported: Import): boolean {
  const name = path.slice(0, path.indexOf('/'));
  const room = ROOMS[name];
  if (room === undefined) return false;
  if (!imported.isOurs) return mayUse(path, room, imported.target);
  const allowed = [`${name}/`, ...room.imports, ...(imported.isType ? (room.types ?? []) : [])];
  return isIn(imported.target, allowed);
}

function mayUse(path: string, room: Room, name: string): boolean {
  if (room.packages !== undefined) return room.packages.includes(name);
  return RESTRICTED.every(({ packages, users }) => !packages.test(name) || isIn(path, users));
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

/** One sentence for each top-level folder that is not in the table. */
export function unknownFolders(paths: readonly string[]): string[] {
  const folders = new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!));
  return [...folders]
    .filter((folder) => !(folder in ROOMS) && !OTHER_FOLDERS.includes(folder))
    .map((folder) => `The folder ${folder} is not in the architecture's table.`);
}

/** Folders of `test/` that tests of every room may use. */
const SHARED_BY_TESTS = ['test/support/', 'test/vectors/'];

/**
 * One sentence for each import of a test, whose tests would then run twice, and for each import by which support
 * depends on the tests of one room.
 */
export function importsOfTests(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter(({ target }) => target.endsWith('.test.ts') || climbsToTests(source.path, target))
      .map(({ target }) => `${source.path} must not import ${target}.`),
  );
}

function climbsToTests(path: string, target: string): boolean {
  return isIn(path, SHARED_BY_TESTS) && isIn(target, ['test/']) && !isIn(target, SHARED_BY_TESTS);
}
