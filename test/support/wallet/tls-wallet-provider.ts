import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { type Identity, selfSignedIdentity } from '../../../gateway/simulator/wallet/certificate.ts';

/** What the provider was sent, and the client certificate of the connection. */
interface Received {
  readonly path: string | undefined;
  readonly body: unknown;
  readonly clientName: string;
}

/** A wallet provider on this machine. It accepts one client certificate only, and this process trusts its own. */
export class TlsWalletProvider implements AsyncDisposable {
  readonly #server;
  readonly #trusted = tls.getCACertificates('default');
  readonly received: Received[] = [];
  /** Its answer. Null: it never answers. */
  answer: object | null = null;

  private constructor(client: Identity) {
    const own = selfSignedIdentity({ name: 'localhost', dnsNames: ['localhost'] }, new Date());
    tls.setDefaultCACertificates([...this.#trusted, own.certificate]);
    this.#server = createServer(
      {
        cert: own.certificate,
        key: own.privateKey,
        ca: [client.certificate],
        requestCert: true,
        rejectUnauthorized: true,
      },
      (request, response) => this.#reply(request, response),
    );
  }

  static async start(client: Identity): Promise<TlsWalletProvider> {
    const provider = new TlsWalletProvider(client);
    provider.#server.listen(0, 'localhost');
    await once(provider.#server, 'listening');
    return provider;
  }

  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    this.received.push({ path: request.url, body, clientName: String(subject.CN) });
    if (this.answer !== null) response.end(JSON.stringify(this.answer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    tls.setDefaultCACertificates(this.#trusted);
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
