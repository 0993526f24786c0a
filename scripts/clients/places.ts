import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Everything that is made for partners: a folder for each language. */
export const CLIENTS = join(ROOT, 'clients');

/** The contract in the form for client generators; the service serves it as `/openapi-clients.json`. */
export const CLIENT_DOCUMENT = join(ROOT, 'generated/openapi-clients.json');

/** What the tools fetch or build on the way and want again next time. */
export const TOOLS = join(CLIENTS, '.tools');
