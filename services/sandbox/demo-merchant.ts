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

/** Another process has created the first merchant meanwhile. */
class NotTheFirst extends Error {}

/**
 * The sandbox's demo merchant: approved, with all methods. Created when the database has no merchant at all; its key is
 * stored under `dataDir`, so that every start can print it. Null when the database has merchants but not that one, such as
 * one created by a process with another `dataDir`. Several processes can call it at once.
 */
export async function demoMerchant(deps: Deps, dataDir: string): Promise<DemoMerchant | null> {
  const path = join(dataDir, FILE);
  return (await readUsable(deps, path)) ?? (await makeFirst(deps, path)) ?? (await readUsable(deps, path));
}

/**
 * Null when another merchant exists. The key is written to the file before the merchant is committed: if the process dies
 * in between, the key is of no use and the next start creates both again; there is never a merchant whose key is lost.
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
    // If the transaction is retried, this is overwritten.
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
    // Whether the key is valid is not known while the database does not answer.
    if (error instanceof DatabaseUnavailable) throw error;
    return false;
  }
}
