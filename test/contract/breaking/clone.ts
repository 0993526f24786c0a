import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../support/service.ts';
import { smallContract } from './contract.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/breaking-changes.ts');

/** A file of changes that declares none. */
export const NOTHING = 'changes: []\n';

/** Without what a hook of git names its repository by: these tests would commit into that one. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}

/** A clone with its own history. */
export class Clone implements Disposable {
  readonly folder: string;

  constructor(folder = mkdtempSync(join(tmpdir(), 'centavo-history-'))) {
    this.folder = folder;
  }

  static begun(): Clone {
    const clone = new Clone();
    clone.git('init', '--quiet', '--initial-branch=main');
    clone.commit(smallContract(), NOTHING);
    return clone;
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...who, ...args], {
      cwd: this.folder,
      env: environment(),
      encoding: 'utf8',
    });
  }

  write(contract: Json, changes: string): void {
    for (const folder of ['generated', 'spec']) mkdirSync(join(this.folder, folder), { recursive: true });
    writeFileSync(join(this.folder, 'generated/openapi.json'), JSON.stringify(contract, null, 2));
    writeFileSync(join(this.folder, 'spec/changes.yaml'), changes);
  }

  commit(contract: Json, changes: string): void {
    this.write(contract, changes);
    this.git('add', '.');
    this.git('commit', '--quiet', '--allow-empty', '--message', 'Step');
  }

  check(env: NodeJS.ProcessEnv = {}): { status: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--root', this.folder], {
      env: { ...environment(), ...env },
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}
