import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { isOnlyMerchant, listMerchants } from '../../db/merchants/merchants.ts';
import type { Deps } from '../deps.ts';
import { authenticate } from '../merchants/authenticate.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { makeDataDir } from '../vault/local-secrets.ts';

export interface DemoMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly encryptionKey: string;
}

const FILE = 'demo.json';
const OWNER_ONLY = 0o600;

/** Another process has created the first merchant. */
class FirstMerchantExists extends Error {}

/**
 * The sandbox's demo merchant: approved, with all payment methods. It is created when the database has no merchant; its
 * key is stored under `dataDir`, so that every start can print it. Null when the database has merchants, but not the
 * one of this `dataDir`. Several processes can call it at once.
 */
export async function demoMerchant(deps: Deps, dataDir: string): Promise<DemoMerchant | null> {
  const path = join(dataDir, FILE);
  return (await readUsable(deps, path)) ?? (await createFirst(deps, path)) ?? (await readUsable(deps, path));
}

/**
 * Null when another merchant exists. The key is written to the file before the merchant is committed, so that the key
 * of a merchant is never lost. If the process dies in between, the next start creates both again.
 */
async function createFirst(deps: Deps, path: string): Promise<DemoMerchant | null> {
  if ((await listMerchants(deps.db)).length > 0) return null;
  await makeDataDir(dirname(path));
  const input = {
    name: 'Loja Demonstração',
    legalName: 'Loja Demonstração Comércio Ltda',
    document: '11222333000181',
    mccs: ['5734', '7372'],
  };
  return createMerchant(deps, input, async (tx, { merchant, apiKey, encryptionKey }) => {
    if (!(await isOnlyMerchant(tx, merchant))) throw new FirstMerchantExists();
    const demo: DemoMerchant = { merchantId: merchant.merchantId, apiKey, encryptionKey };
    // A retry of the transaction overwrites the file.
    await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: OWNER_ONLY, flush: true });
    return demo;
  }).catch((error: unknown) => {
    if (error instanceof FirstMerchantExists) return null;
    throw error;
  });
}

async function readUsable(deps: Deps, path: string): Promise<DemoMerchant | null> {
  const stored = await readStored(path);
  return stored !== null && (await isUsable(deps, stored)) ? stored : null;
}

async function readStored(path: string): Promise<DemoMerchant | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoMerchant;
  } catch {
    return null;
  }
}

async function isUsable(deps: Deps, demo: DemoMerchant): Promise<boolean> {
  try {
    await authenticate(deps, demo.apiKey);
    return true;
  } catch (error) {
    // While the database does not answer, the key is not known to be invalid.
    if (error instanceof DatabaseUnavailable) throw error;
    return false;
  }
}
