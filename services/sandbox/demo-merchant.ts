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

/** Another process has made the first merchant meanwhile. */
class NotTheFirst extends Error {}

/**
 * The sandbox's demo merchant: approved, all methods. Made when the database has no merchant at all; its key is kept
 * under `dataDir`, so that every start can print it. Null when there are merchants already and none of them is that one:
 * somebody else's, or made by a process with another `dataDir`. Several processes may call it at once.
 */
export async function demoMerchant(deps: Deps, dataDir: string): Promise<DemoMerchant | null> {
  const path = join(dataDir, FILE);
  return (await readUsable(deps, path)) ?? (await makeFirst(deps, path)) ?? (await readUsable(deps, path));
}

/**
 * Null when another merchant is there. The key is written down before the merchant is committed: a death in between
 * leaves a key that opens nothing, and the next start makes both anew; never a merchant whose key nobody has.
 */
async function makeFirst(deps: Deps, path: string): Promise<DemoMerchant | null> {
  if ((await listMerchants(deps.db)).length > 0) return null;
  await makeDataDir(dirname(path));
  const input = {
    name: 'Loja Demonstração',
    legalName: 'Loja Demonstração Comércio Ltda',
    document: '11222333000181',
    mccs: ['5734', '7372'],
  };
  return createMerchant(deps, input, async (tx, { merchant, apiKey, encryptionKey }) => {
    if (!(await isOnlyMerchant(tx, merchant))) throw new NotTheFirst();
    const demo: DemoMerchant = { merchantId: merchant.merchantId, apiKey, encryptionKey };
    // Should the transaction be run again, this is written over.
    await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: OWNER_ONLY, flush: true });
    return demo;
  }).catch((error: unknown) => {
    if (error instanceof NotTheFirst) return null;
    throw error;
  });
}

async function readUsable(deps: Deps, path: string): Promise<DemoMerchant | null> {
  const kept = await readKept(path);
  return kept !== null && (await isUsable(deps, kept)) ? kept : null;
}

async function readKept(path: string): Promise<DemoMerchant | null> {
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
    // A database that does not answer says nothing about the key.
    if (error instanceof DatabaseUnavailable) throw error;
    return false;
  }
}
