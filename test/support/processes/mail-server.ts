import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

interface SmtpRefusal {
  readonly code: number;
  readonly text: string;
}

/** An SMTP server without TLS that keeps what it gets. */
export class MailServer implements AsyncDisposable {
  readonly #server: SMTPServer;
  readonly received: Email[] = [];
  /** The code and the text with which it refuses a recipient; null: it accepts all. */
  refusal: SmtpRefusal | null = null;
  /** The same for a sender. */
  senderRefusal: SmtpRefusal | null = null;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      // The service keeps connections open for the next e-mail.
      closeTimeout: 100,
      onMailFrom: (_address, _session, done) => done(errorOf(this.senderRefusal)),
      onRcptTo: (_address, _session, done) => done(errorOf(this.refusal)),
      onData: (stream, _session, done) => {
        buffer(stream)
          .then(async (raw) => {
            this.received.push(await PostalMime.parse(raw));
            done();
          })
          .catch(done);
      },
    });
    this.#server.on('error', () => {});
  }

  /** On any free port, or on one that was free. */
  static async start(port = 0): Promise<MailServer> {
    const server = new MailServer();
    const listening = server.#server.listen(port, '127.0.0.1');
    if (!listening.listening) await once(listening, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function errorOf(refusal: SmtpRefusal | null): Error | undefined {
  return refusal === null
    ? undefined
    : Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}
