import type { Outgoing } from '../webhooks/outgoing.ts';

/** How the service reaches wallet providers and the domains of shops. */
export interface WalletConnections {
  readonly providers: readonly WalletProvider[];
  /** Reads the verification files of domains. */
  readonly files: Outgoing;
}

/** A wallet provider, or several that accept the same certificate. */
export interface WalletProvider {
  /** Hosts of validation URLs in lower case, with their port if it is not 443. */
  readonly hosts: readonly string[];
  /** Null: no certificate is configured, so the provider cannot be called. */
  readonly identity: { readonly merchantIdentifier: string } | null;
  /** Makes calls with the certificate. */
  readonly outgoing: Outgoing;
}
