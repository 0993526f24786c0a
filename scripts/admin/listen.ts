import { randomBytes } from 'node:crypto';
import { type Command, Option } from '@commander-js/extra-typings';
import { OutgoingCalls } from '../../services/webhooks/outgoing-calls.ts';
import { newSecret } from '../../services/webhooks/signature.ts';
import { examples } from './command.ts';
import { type EventBody, endOfFeed, eventsAfter } from './event-feed.ts';
import { type Forwarded, forwardEvent } from './forward-event.ts';
import { single } from './options.ts';
import { readApiKey, readLocalUrl, readOrigin, readSecret } from './values.ts';

export interface ListenOptions {
  readonly key: string;
  /** A URL of this machine. */
  readonly forward: string;
  /** Signs what is forwarded. Default: a new one. */
  readonly secret?: string | undefined;
  /** Origin of the service. Default: the service that PORT and HOST configure. */
  readonly url?: string | undefined;
  /** The earlier name of `url`. */
  readonly api?: string | undefined;
  readonly isJson: boolean;
}

/** Where `listen` prints, and when it stops. */
export interface ListenIo {
  readonly print: (line: string) => void;
  /** Takes sentences that are not output, such as that the service does not answer. */
  readonly report: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** Origin of the configured service. */
  readonly api: string;
}

const FAULTS_ARE_ELSEWHERE = `
Events are sent one by one, in their order, and correctly signed. For deliveries that are late, doubled, reordered, dropped or
wrongly signed, create a webhook endpoint in the sandbox, and set its faults: PUT /sandbox/webhook-endpoints/{id}/faults.`;

/** `run` gets the checked options, except for the global ones. */
export function addListenCommand(
  program: Command,
  run: (options: Omit<ListenOptions, 'isJson'>) => Promise<void>,
): void {
  program
    .command('listen')
    .description('Forward new events to a server on this machine, signed like webhooks. Ctrl-C ends it.')
    .requiredOption('--key <key>', 'API key with the permission events:read.', single('--key', readApiKey))
    .requiredOption('--forward <url>', 'URL of the server.', single('--forward', readLocalUrl))
    .option(
      '--secret <secret>',
      'Secret that signs the events (whsec_…). Default: a new one, which is printed.',
      single('--secret', readSecret),
    )
    .option(
      '--url <url>',
      'Address of the service. Default: http://127.0.0.1:3000, or as PORT and HOST say.',
      single('--url', readOrigin),
    )
    .addOption(
      new Option('--api <url>', 'The earlier name of --url.')
        .argParser(single('--api', readOrigin))
        .conflicts('url'),
    )
    .addHelpText('after', FAULTS_ARE_ELSEWHERE)
    .addHelpText('after', examples('listen --key pay_test_YOUR_KEY --forward http://localhost:4000/webhooks'))
    .action(run);
}

/** Forwards events, and prints each with its answer, until `io.signal` is aborted. */
export async function listen(options: ListenOptions, io: ListenIo): Promise<void> {
  const { signal, report } = io;
  const { key, forward: url, secret = newSecret(randomBytes) } = options;
  const api = options.url ?? options.api ?? io.api;
  const outgoing = new OutgoingCalls({ allowPrivate: true });
  signal.addEventListener('abort', () => void outgoing.close(), { once: true });
  const feed = { api, key, signal, report };
  try {
    const last = await endOfFeed(feed);
    io.print(options.isJson ? JSON.stringify({ forward: url, secret }) : startText(url, secret));
    for await (const event of eventsAfter(last, feed)) {
      const forwarded = await forwardEvent(event, { outgoing, url, secret, signal, report });
      io.print(options.isJson ? resultJson(event, forwarded) : resultText(event, forwarded));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await outgoing.close();
  }
}

function startText(url: string, secret: string): string {
  return `Forwarding new events to ${url}. Ctrl-C ends it.\nSecret of the signatures: ${secret}`;
}

const ANSWER_WIDTH = 'connection_closed'.length;
const EVENT_WIDTH = 'subscription.charge_succeeded'.length;

/** `10:42:07  200  12 ms  payment.created  <id>`, with aligned columns and local time. */
function resultText({ id, event }: EventBody, { responseStatus, failure, duration_ms }: Forwarded): string {
  const time = new Date().toTimeString().slice(0, 8);
  const answer = `${responseStatus ?? failure?.code}`.padEnd(ANSWER_WIDTH);
  const took = `${duration_ms} ms`.padStart(8);
  return [time, answer, took, event.padEnd(EVENT_WIDTH), id].join('  ');
}

/** One line. */
function resultJson(event: EventBody, { responseStatus, failure, duration_ms }: Forwarded): string {
  return JSON.stringify({
    event_id: event.id,
    event: event.event,
    object_id: event.object_id,
    response_status: responseStatus,
    error: failure,
    duration_ms,
  });
}
