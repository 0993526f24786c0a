import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Everything that is made for partners: a folder for each language. */
export const CLIENTS = join(ROOT, 'clients');

/** The contract as generators want it. */
export const PREPARED = join(CLIENTS, 'openapi.json');

/** What the tools fetch or build on the way and want again next time. */
export const TOOLS = join(CLIENTS, '.tools');
