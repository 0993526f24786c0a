import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './destination-rules.ts';
import { type HostLookupOptions, resolveHost } from './host-lookups.ts';
import { BlockedDestination, UnknownHost } from './outgoing-failure.ts';

export interface ConnectOptions {
  /** Whether http, IP addresses and private networks are allowed (a sandbox that is configured so). */
  readonly allowPrivate: boolean;
  readonly timeout_ms: number;
  /** The name servers. */
  readonly lookups?: HostLookupOptions;
  /** The client certificate and its key, in PEM. */
  readonly identity?: { readonly certificate: string; readonly privateKey: string };
  /** A server of this process that answers instead of hosts on the internet (sandbox only). */
  readonly localServer?: LocalServer;
}

export interface LocalServer {
  serves(host: string): boolean;
  /** On 127.0.0.1. */
  readonly port: number;
  /** In PEM. No other certificate is accepted. */
  readonly certificate: string;
}

/** Connects to public addresses only. */
export function guardedConnect(options: ConnectOptions): buildConnector.connector {
  const { allowPrivate, timeout_ms, lookups, identity, localServer } = options;
  const common = {
    allowH2: false,
    timeout: timeout_ms,
    ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }),
  };
  const connect = buildConnector({
    ...common,
    ...(allowPrivate ? {} : { lookup: publicLookup(lookups) }),
  });
  const connectLocally = buildConnector({
    ...common,
    ca: localServer?.certificate,
    // Its one certificate serves all hosts.
    checkServerIdentity: () => undefined,
  });
  return (target, callback) => {
    if (localServer?.serves(target.hostname)) {
      const { port } = localServer;
      const servername = target.hostname;
      connectLocally({ ...target, hostname: '127.0.0.1', port: String(port), servername }, callback);
      return;
    }
    // Node does not look up a host that is an IP address.
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(blockedAddress(), null);
      return;
    }
    connect(target, callback);
  };
}

function publicLookup(lookups: HostLookupOptions | undefined): LookupFunction {
  return (host, { all }, callback) => {
    resolveHost(host, lookups).then(
      (addresses) => {
        if (addresses.length === 0) callback(new UnknownHost(), []);
        else if (!addresses.every(isPublicAddress)) callback(blockedAddress(), []);
        else if (all) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else callback(null, addresses[0]!, isIP(addresses[0]!));
      },
      (error: Error) => callback(error, []),
    );
  };
}

function blockedAddress(): BlockedDestination {
  return new BlockedDestination('Must resolve to public addresses only.');
}
