import pg from 'pg';

/** Where an address of a database leads. */
export interface DatabaseTarget {
  /** A host name, an IP address, or the directory of a Unix socket. */
  readonly host: string;
  readonly usesTls: boolean;
  /** The address itself says that there is no TLS. */
  readonly declinesTls: boolean;
}

/**
 * Reads a postgres:// address as the connections will read it, with what PGHOST and the like add.
 * @throws Error when it is malformed, or when a certificate that it names cannot be read
 */
export function readDatabaseAddress(url: string): DatabaseTarget {
  const { host, ssl } = new pg.Client({ connectionString: url });
  return { host, usesTls: Boolean(ssl), declinesTls: /[?&](sslmode=disable|ssl=0)(&|$)/.test(url) };
}
