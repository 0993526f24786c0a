import type { Acquirer, Inquiry, OutcomeOf } from './acquirer.ts';
import { type HttpClientOptions, httpClient } from './http-client.ts';
import { readEvidenceInquiry, readOutcome } from './wire.ts';
import { commandBody, wireCommand } from './wire-commands.ts';

/** Shorter than for a command: an inquiry is repeated soon, and one without an answer must not delay others. */
const INQUIRY_TIMEOUT_MS = 3_000;

/** `close` aborts the calls in flight. Their outcome is `unknown`. */
export type HttpAcquirer = Acquirer & { close(): Promise<void> };

/**
 * The acquirer over HTTP. The outcome is `unknown` without a clear answer: after a timeout, a broken connection, a
 * status other than 200, or a malformed or overlong body. After a broken connection, the request is sent again: the
 * acquirer repeats its first answer to a reference that it knows. After a timeout it is not, because the answer may
 * still come.
 */
export function httpAcquirer(
  options: HttpClientOptions & { readonly inquiryTimeout_ms?: number },
): HttpAcquirer {
  const client = httpClient(options);
  const { inquiryTimeout_ms = INQUIRY_TIMEOUT_MS } = options;

  async function ask<O>(path: string, body: object, read: (answer: unknown) => O | null, limit_ms?: number) {
    const answer = await client.post(path, body, true, limit_ms);
    if (answer.kind === 'failed') return unknown(answer.cause);
    if (answer.status !== 200) return unknown(`status_${answer.status}`);
    return read(answer.body) ?? unknown('malformed_answer');
  }

  function inquire<O>({ reference, account, seal }: Inquiry, read: (answer: unknown) => O | null) {
    return ask('/v1/inquiries', { reference, account, seal }, read, inquiryTimeout_ms);
  }

  return {
    isConfigured: true,
    perform: async (command) => {
      const { path, read } = wireCommand(command);
      return (await ask(path, commandBody(command), read)) as OutcomeOf<typeof command>;
    },
    inquire: (inquiry) => inquire(inquiry, readOutcome),
    inquireEvidence: (inquiry) => inquire(inquiry, readEvidenceInquiry),
    close: () => client.close(),
  };
}

function unknown(cause: string) {
  return { kind: 'unknown', cause } as const;
}
