import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Generated clients, a folder for each language. */
export const CLIENTS = join(ROOT, 'clients');

/** The contract in the form for client generators, which the service serves as `/openapi-clients.json`. */
export const CLIENT_DOCUMENT = join(ROOT, 'generated/openapi-clients.json');

/** Downloads and builds of the tools, kept for the next run. */
export const TOOLS = join(CLIENTS, '.tools');
