import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listMerchants } from '../db/merchants.ts';
import { authenticate } from './authenticate.ts';
import { createMerchant } from './create-merchant.ts';
import type { Deps } from './deps.ts';

export interface DemoMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly encryptionKey: string;
}

const FILE = 'demo.json';
const OWNER_ONLY = 0o600;

/**
 * The sandbox's demo merchant: approved, all methods. Made when the database has no merchant at all; its key is kept
 * under `dataDir`, so that every start can print it. Null when somebody else's merchants are there already.
 */
export async function demoMerchant(deps: Deps, dataDir: string): Promise<DemoMerchant | null> {
  const path = join(dataDir, FILE);
  const kept = await readKept(path);
  if (kept !== null && (await isUsable(deps, kept))) return kept;
  if ((await listMerchants(deps.db)).length > 0) return null;
  const { merchant, apiKey, encryptionKey } = await createMerchant(deps, {
    name: 'Loja Demonstração',
    legalName: 'Loja Demonstração Comércio Ltda',
    document: '11222333000181',
    mccs: ['5734', '7372'],
  });
  const demo: DemoMerchant = { merchantId: merchant.merchantId, apiKey, encryptionKey };
  await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: OWNER_ONLY });
  return demo;
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
  } catch {
    return false;
  }
}
