import pg from 'pg';

/** The servers of a database address, and whether its connections use TLS. */
export interface DatabaseTarget {
  /** Host names, IP addresses, or directories of Unix sockets. */
  readonly hosts: readonly string[];
  readonly usesTls: boolean;
  /** The address turns TLS off explicitly. */
  readonly declinesTls: boolean;
}

/** The servers of an address, in its order. */
export interface DatabaseServers {
  /** One address for each server. */
  readonly urls: readonly string[];
  /** Connect only to a server that accepts writes. */
  readonly mustWrite: boolean;
}

const PARTS = /^(?<before>\w+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?/;

/** Values of `target_session_attrs` that ask for a server which accepts writes. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Reads a postgres:// address with one host or several, as libpq does: `host1:5432,host2:5432`, or lists in
 * `?host=…&port=…`. With several hosts, `target_session_attrs` is `read-write` (the default) or `primary`.
 * @throws Error when it is malformed
 */
export function readServers(url: string): DatabaseServers {
  const { before = '', hosts = '', path = '', query = '' } = PARTS.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  const listed = hosts.split(',');
  const urls =
    listed.length > 1
      ? listed.map((host) => `${before}${host}${path}?${query}`)
      : serversOfQuery(parameters).map((own) => `${before}${hosts}${path}?${own}`);
  const isOne = urls.length < 2;
  const attributes = parameters.get('target_session_attrs') ?? (isOne ? 'any' : 'read-write');
  const mustWrite = WRITABLE.includes(attributes);
  if (!mustWrite && !(isOne && attributes === 'any')) {
    throw new Error('target_session_attrs must be read-write or primary, because the service writes');
  }
  return { urls: isOne ? [url] : urls, mustWrite };
}

/** For each host of `?host=…`, the parameters with this host only; empty for a single host. */
function serversOfQuery(parameters: URLSearchParams): URLSearchParams[] {
  const hosts = parameters.get('host')?.split(',') ?? [];
  const ports = parameters.get('port')?.split(',') ?? [];
  if (hosts.length < 2) return [];
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new Error('the number of ports differs from the number of hosts');
  }
  return hosts.map((host, i) => {
    const own = new URLSearchParams(parameters);
    own.set('host', host);
    const port = ports[i] ?? ports[0];
    if (port !== undefined) own.set('port', port);
    return own;
  });
}

/**
 * Reads a postgres:// address as connections read it, with the defaults of PGHOST and other variables.
 * @throws Error when it is malformed, or when a certificate that it names cannot be read
 */
export function readDatabaseAddress(url: string): DatabaseTarget {
  const clients = readServers(url).urls.map((connectionString) => new pg.Client({ connectionString }));
  return {
    hosts: clients.map(({ host }) => host),
    usesTls: clients.every(({ ssl }) => Boolean(ssl)),
    declinesTls: /[?&](sslmode=disable|ssl=0)(&|$)/.test(url),
  };
}
