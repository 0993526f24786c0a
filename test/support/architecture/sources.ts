import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** A file of the project, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** One import of a file. */
export interface Import {
  /** A path from the root, or the name of a package. */
  readonly target: string;
  readonly isOurs: boolean;
  /** Nothing of it is left when the program runs. */
  readonly isType: boolean;
}

/** Paths of every file that is tracked or would be: what .gitignore names is not the project's. */
export function projectPaths(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** Every TypeScript file of the project, or those with other endings. */
export function projectSources(ending = /\.ts$/): Source[] {
  return projectPaths()
    .filter((path) => ending.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const STATIC = /\b(?:import|export)\s+(type\s+)?([\w*{}\s,$]*?\bfrom\s*)?['"]([^'"\n]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** What a file imports, by its words: no program runs. */
export function importsOf({ path, text }: Source): Import[] {
  const code = withoutComments(text);
  const named = [...code.matchAll(STATIC)].map(([, type, names = '', target]) =>
    importOf(path, target!, type !== undefined || hasOnlyTypes(names)),
  );
  const dynamic = [...code.matchAll(DYNAMIC)].map(([, target]) => importOf(path, target!, false));
  return [...named, ...dynamic];
}

function importOf(path: string, target: string, isType: boolean): Import {
  const isOurs = target.startsWith('.');
  return { target: isOurs ? posix.join(posix.dirname(path), target) : target, isOurs, isType };
}

/** `{ type A, type B } from`. */
function hasOnlyTypes(names: string): boolean {
  const [, list] = /^\s*\{([^}]*)\}\s*from\s*$/.exec(names) ?? [];
  const parts = (list ?? '').split(',').map((part) => part.trim());
  return parts.some((part) => part !== '') && parts.every((part) => part === '' || part.startsWith('type '));
}

/** Sufficient for this project's formatting: a line comment is at the start of a line or after a space. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/(^|\s)\/\/ .*$/gm, '$1');
}
