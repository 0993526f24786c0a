import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the sandbox makes for itself, once, so that nobody has to configure anything. Never used in production. */
export interface LocalSecrets {
  readonly vaultKey: Buffer;
  readonly keyPepper: string;
  readonly acquirerSecret: string;
}

const FILE = 'secrets.json';
const OWNER_ONLY = 0o600;

interface SecretsFile {
  vault_key: string;
  key_pepper: string;
  acquirer_secret: string;
}

/** Reads the secrets under `dataDir`, making them when there are none. Two processes at once make one set. */
export async function localSecrets(dataDir: string): Promise<LocalSecrets> {
  await mkdir(dataDir, { recursive: true }).catch(({ message }: Error) => {
    throw new Error(`DATA_DIR cannot be used: ${message}.`);
  });
  const path = join(dataDir, FILE);
  const file = (await create(path)) ?? (await read(path));
  return {
    vaultKey: Buffer.from(file.vault_key, 'base64'),
    keyPepper: file.key_pepper,
    acquirerSecret: file.acquirer_secret,
  };
}

async function create(path: string): Promise<SecretsFile | undefined> {
  const file: SecretsFile = {
    vault_key: randomBytes(32).toString('base64'),
    key_pepper: randomBytes(32).toString('hex'),
    acquirer_secret: randomBytes(32).toString('hex'),
  };
  try {
    const handle = await open(path, 'wx', OWNER_ONLY);
    await handle.writeFile(`${JSON.stringify(file, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    return file;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return undefined;
    throw error;
  }
}

async function read(path: string): Promise<SecretsFile> {
  // The process that is making the file may have opened it a moment ago and not written it yet.
  for (let attempt = 0; ; attempt++) {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as SecretsFile;
    } catch (error) {
      if (attempt >= 50) throw new Error(`${path} cannot be read.`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
