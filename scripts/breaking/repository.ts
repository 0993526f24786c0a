import { execFileSync } from 'node:child_process';

const LONGEST_BYTES = 64 * 1024 * 1024;

/** By these a hook of git names its repository, which need not be that of the folder. */
const OF_HOOKS = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/** The clone that a folder is. */
export class Repository {
  readonly #root: string;
  /** What git said when it last refused. */
  #refusal = '';

  /** Throws an Error that says what is missing: git, a clone, or a commit. */
  constructor(root: string) {
    this.#root = root;
    const folder = this.#ask('rev-parse', '--show-prefix');
    if (folder !== '') {
      const why = folder === null ? this.#refusal : `it lies in another, as ${folder}`;
      throw new Error(
        `There is no earlier contract to compare with, since ${root} is no clone of the repository: ${why}`,
      );
    }
    if (this.#ask('rev-parse', '--verify', '--quiet', 'HEAD') === null) {
      throw new Error('There is no earlier contract to compare with: nothing is committed here.');
    }
  }

  /** Whether the older commits were left out when it was cloned. */
  isShallow(): boolean {
    return this.#ask('rev-parse', '--is-shallow-repository') === 'true';
  }

  /** The newest commit of main that is part of what is checked out: its own where main is, or is not known. */
  forkOfMain(): { commit: string; isMain: boolean } {
    const mains = ['refs/heads/main', 'refs/remotes/origin/main'].filter(
      (name) => this.#ask('rev-parse', '--verify', '--quiet', name) !== null,
    );
    const [head, ...older] = this.#list('rev-list', '--topo-order', 'HEAD');
    const main = new Set(mains.length > 0 ? this.#list('rev-list', '--first-parent', ...mains) : [head]);
    if (main.has(head!)) return { commit: head!, isMain: true };
    const commit = older.find((one) => main.has(one));
    return { commit: commit ?? head!, isMain: commit === undefined };
  }

  /** Abbreviated commits of a range that changed a file, oldest first; a merge counts as one (first parents). */
  changesOf(path: string, range: string): string[] {
    return this.#list('rev-list', '--first-parent', '--reverse', '--abbrev-commit', range, '--', path);
  }

  /** A file as a commit has it; null where it has none. Throws where it has one that is not in the clone. */
  read(commit: string, path: string): string | null {
    const isThere = this.#list('ls-tree', commit, '--', path).length > 0;
    return isThere ? this.#tell('cat-file', 'blob', `${commit}:${path}`) : null;
  }

  #list(...args: string[]): string[] {
    return this.#tell(...args)
      .split('\n')
      .filter(Boolean);
  }

  /** What git says; an Error where it refuses. */
  #tell(...args: string[]): string {
    const said = this.#ask(...args);
    if (said === null) throw new Error(`The earlier contracts cannot be read: ${this.#refusal}`);
    return said;
  }

  /** What git says; null where it refuses. */
  #ask(...args: string[]): string | null {
    try {
      const env = { ...process.env, ...OF_HOOKS };
      const options = { cwd: this.#root, env, encoding: 'utf8', maxBuffer: LONGEST_BYTES } as const;
      return execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    } catch (error) {
      const { code, status, stderr } = error as { code?: string; status?: number | null; stderr?: string };
      if (code === 'ENOENT') throw new Error('git is needed, to read the earlier contracts.');
      if (typeof status !== 'number') throw error;
      this.#refusal = String(stderr).trim();
      return null;
    }
  }
}
