import pg from 'pg';

/** Where an address of a database leads. */
export interface DatabaseTarget {
  /** Host names, IP addresses, or directories of Unix sockets. */
  readonly hosts: readonly string[];
  readonly usesTls: boolean;
  /** The address itself says that there is no TLS. */
  readonly declinesTls: boolean;
}

/** The servers that an address names, in its order. */
export interface DatabaseServers {
  /** One address for each of them. */
  readonly urls: readonly string[];
  /** Only a server that accepts writes is the right one. */
  readonly mustWrite: boolean;
}

const PARTS = /^(?<before>\w+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?/;

/** Values of `target_session_attrs` that fit a service which writes. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Reads a postgres:// address with one host or several, as libpq does: `host1:5432,host2:5432` in its place, or lists in
 * `?host=…&port=…`. Where there are several, `target_session_attrs` is `read-write` (the default) or `primary`.
 * @throws Error when it is malformed
 */
export function readServers(url: string): DatabaseServers {
  const { before = '', hosts = '', path = '', query = '' } = PARTS.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  const inPlace = hosts.split(',');
  const urls =
    inPlace.length > 1
      ? inPlace.map((host) => `${before}${host}${path}?${query}`)
      : serversOfQuery(parameters).map((own) => `${before}${hosts}${path}?${own}`);
  const isOne = urls.length < 2;
  const attributes = parameters.get('target_session_attrs') ?? (isOne ? 'any' : 'read-write');
  const mustWrite = WRITABLE.includes(attributes);
  if (!mustWrite && !(isOne && attributes === 'any')) {
    throw new Error('target_session_attrs must be read-write or primary, because the service writes');
  }
  return { urls: isOne ? [url] : urls, mustWrite };
}

/** For each host of `?host=…`, the parameters that name it alone; none where there is no list. */
function serversOfQuery(parameters: URLSearchParams): URLSearchParams[] {
  const hosts = parameters.get('host')?.split(',') ?? [];
  const ports = parameters.get('port')?.split(',') ?? [];
  if (hosts.length < 2) return [];
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new Error('it names another number of ports than of hosts');
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
 * Reads a postgres:// address as the connections will read it, with what PGHOST and the like add.
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
