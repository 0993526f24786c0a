import { X509Certificate } from 'node:crypto';
import type { Config } from '../config.ts';
import type { SandboxWallet } from '../gateway/simulator/wallet/provider.ts';
import type { WalletConnections, WalletProvider } from '../services/wallet/wallet-connections.ts';
import { OutgoingCalls, type OutgoingOptions } from '../services/webhooks/outgoing-calls.ts';

/** The time limit of a whole call to a wallet provider or a domain (contract row 11.1). */
const TIMEOUT_MS = 5_000;
const MAX_SESSION_BYTES = 64 * 1024;

/** Connects the configured wallet providers and, in a sandbox, its own. `cleanUp` ends the connections. */
export function walletConnections(
  { wallet, walletProviderHosts, allowPrivateDestinations }: Config,
  sandbox: SandboxWallet | null,
  cleanUp: AsyncDisposableStack,
): WalletConnections {
  const connect = (options: Partial<OutgoingOptions>) => {
    const calls = new OutgoingCalls({
      allowPrivate: allowPrivateDestinations,
      timeout_ms: TIMEOUT_MS,
      ...options,
    });
    cleanUp.defer(() => calls.close());
    return calls;
  };
  const localServer = sandbox === null ? {} : { localServer: sandbox.server };
  const configured: WalletProvider = {
    // Without the port 443, as in a parsed URL.
    hosts: walletProviderHosts.map((host) => new URL(`https://${host}`).host),
    identity: wallet && { merchantIdentifier: merchantIdentifierOf(wallet.certificate) },
    outgoing: connect({ maxAnswer_bytes: MAX_SESSION_BYTES, ...(wallet && { identity: wallet }) }),
  };
  const ofSandbox = sandbox && {
    hosts: sandbox.hosts,
    identity: { merchantIdentifier: sandbox.merchantIdentifier },
    outgoing: connect({ maxAnswer_bytes: MAX_SESSION_BYTES, identity: sandbox.identity, ...localServer }),
  };
  return {
    providers: ofSandbox === null ? [configured] : [ofSandbox, configured],
    files: connect(localServer),
  };
}

/** Wallet providers issue the certificate with the identifier as user id (UID) of the subject. */
function merchantIdentifierOf(certificate: string): string {
  const { subject } = new X509Certificate(certificate);
  return /^UID=(.+)$/m.exec(subject)?.[1] ?? /^CN=(.+)$/m.exec(subject)?.[1] ?? '';
}
