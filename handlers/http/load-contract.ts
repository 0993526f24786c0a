import { readFileSync } from 'node:fs';
import { type Contract, readContract } from './contract.ts';

let loaded: Contract | undefined;

/** Reads generated/openapi.json, once in each process. Throws as `readContract`. */
export function loadContract(): Contract {
  const path = new URL('../../generated/openapi.json', import.meta.url);
  loaded ??= readContract(JSON.parse(readFileSync(path, 'utf8')));
  return loaded;
}
