import { execFileSync } from 'node:child_process';

const LONGEST_BYTES = 64 * 1024 * 1024;

/** Git sets these for its hooks. They may name another repository than that of the folder. */
const OF_HOOKS = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/** The git repository of a folder. */
export class Repository {
  readonly #root: string;
  /** What git printed when it last failed. */
  #error = '';

  /** Throws an Error that says what is missing: git, a clone, or a commit. */
  constructor(root: string) {
    this.#root = root;
    const folder = this.#tryRun('rev-parse', '--show-prefix');
    if (folder !== '') {
      const why = folder === null ? this.#error : `it is the folder ${folder} of another`;
      throw new Error(
        `There is no earlier contract to compare with, as ${root} is not a clone of the repository: ${why}`,
      );
    }
    if (this.#tryRun('rev-parse', '--verify', '--quiet', 'HEAD') === null) {
      throw new Error('There is no earlier contract to compare with: nothing is committed here.');
    }
  }

  /** Whether older commits are missing from the clone. */
  isShallow(): boolean {
    return this.#tryRun('rev-parse', '--is-shallow-repository') === 'true';
  }

  /** The newest commit of main in the history of what is checked out. HEAD when main is checked out or not known. */
  forkOfMain(): { commit: string; isMain: boolean } {
    const mains = ['refs/heads/main', 'refs/remotes/origin/main'].filter(
      (name) => this.#tryRun('rev-parse', '--verify', '--quiet', name) !== null,
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

  /** Reads a file of a commit. Returns null when the commit has none. Throws when the clone lacks its content. */
  read(commit: string, path: string): string | null {
    const isThere = this.#list('ls-tree', commit, '--', path).length > 0;
    return isThere ? this.#run('cat-file', 'blob', `${commit}:${path}`) : null;
  }

  #list(...args: string[]): string[] {
    return this.#run(...args)
      .split('\n')
      .filter(Boolean);
  }

  /** The output of git. Throws when git fails. */
  #run(...args: string[]): string {
    const output = this.#tryRun(...args);
    if (output === null) throw new Error(`The earlier contracts cannot be read: ${this.#error}`);
    return output;
  }

  /** The output of git; null when git fails. */
  #tryRun(...args: string[]): string | null {
    try {
      const env = { ...process.env, ...OF_HOOKS };
      const options = { cwd: this.#root, env, encoding: 'utf8', maxBuffer: LONGEST_BYTES } as const;
      return execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    } catch (error) {
      const { code, status, stderr } = error as { code?: string; status?: number | null; stderr?: string };
      if (code === 'ENOENT') throw new Error('git is needed to read the earlier contracts.');
      if (typeof status !== 'number') throw error;
      this.#error = String(stderr).trim();
      return null;
    }
  }
}
