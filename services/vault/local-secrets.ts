import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Secrets that the sandbox creates, so that it needs no configuration. Not used in production. */
export interface LocalSecrets {
  readonly vaultKey: Buffer;
  readonly keyPepper: string;
  readonly acquirerSecret: string;
}

const FILE = 'secrets.json';

/** The end of error messages about a secret that is not the one of the database. */
export const RESTORE_SECRETS = `If it is not set, it is in ${FILE} in the DATA_DIR of the first start: restore that file, or use an empty database.`;
const OWNER_ONLY = 0o600;

interface SecretsFile {
  vault_key: string;
  key_pepper: string;
  acquirer_secret: string;
}

/** Reads the secrets under `dataDir`, or creates them. Simultaneous processes create one set. */
export async function localSecrets(dataDir: string): Promise<LocalSecrets> {
  await makeDataDir(dataDir);
  const path = join(dataDir, FILE);
  const file = (await read(path)) ?? (await create(path)) ?? (await read(path))!;
  return {
    vaultKey: Buffer.from(file.vault_key, 'base64'),
    keyPepper: file.key_pepper,
    acquirerSecret: file.acquirer_secret,
  };
}

/** Creates the directory unless it exists. Throws an error about DATA_DIR. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true }).catch(({ message }: Error) => {
    throw new Error(`DATA_DIR cannot be used: ${message}.`);
  });
}

/**
 * Creates the file as a link to a complete one, so that no process reads an incomplete file. Returns undefined when the
 * file exists.
 */
async function create(path: string): Promise<SecretsFile | undefined> {
  const file: SecretsFile = {
    vault_key: randomBytes(32).toString('base64'),
    key_pepper: randomBytes(32).toString('hex'),
    acquirer_secret: randomBytes(32).toString('hex'),
  };
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: OWNER_ONLY, flush: true });
    await link(draft, path);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(path: string): Promise<SecretsFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as SecretsFile;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read.`, { cause });
  }
}
