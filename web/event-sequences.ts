import { readFile } from 'node:fs/promises';
import { escapeHtml } from './html.ts';

const CONTRACT = new URL('../generated/openapi.json', import.meta.url);

/** An event of a sequence, with the `status` of the payment in it. */
export interface SequenceEvent {
  readonly event: string;
  readonly status: string;
  readonly required: boolean;
  /** For an optional event: in which case it is sent. */
  readonly when?: string;
}

/** Something that happens, with the request that makes it happen in the sandbox, and the events that follow. */
export interface SequenceStep {
  readonly title: string;
  readonly operation: string;
  /** The part of the request's body that matters. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly test_card?: string;
  /** The part that matters of the offer that `offer_id` of the body names. */
  readonly offer?: Readonly<Record<string, unknown>>;
  /** The status of the request's answer where it is an error: the events show what failed. */
  readonly answer_status?: number;
  readonly optional?: true;
  readonly events: readonly SequenceEvent[];
}

/** A use case of `x-event-sequences` in the contract. */
export interface EventSequence {
  readonly title: string;
  readonly topic: string;
  readonly steps: readonly SequenceStep[];
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly 'x-event-sequences': Readonly<Record<string, EventSequence>>;
}

/** The drawings of the contract's sequences by topic: `sequences pix` and so on. */
export async function sequenceFragments(): Promise<Record<string, string>> {
  const contract = JSON.parse(await readFile(CONTRACT, 'utf8')) as Contract;
  const requests = requestsOf(contract);
  const byTopic = Map.groupBy(Object.entries(contract['x-event-sequences']), ([, { topic }]) => topic);
  return Object.fromEntries(
    [...byTopic].map(([topic, sequences]) => [
      `sequences ${topic}`,
      sequences.map(([name, sequence]) => sequenceHtml(name, sequence, requests)).join('\n'),
    ]),
  );
}

type Requests = ReadonlyMap<string, string>;

/** `POST /charges/orders` by operationId. */
function requestsOf({ paths }: Contract): Requests {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [
        operationId,
        `${method.toUpperCase()} ${path}`,
      ]),
    ),
  );
}

/** An ordered list. site.css draws it: steps as numbered boxes, and events at arrows. */
function sequenceHtml(name: string, { title, steps }: EventSequence, requests: Requests): string {
  const id = name.replaceAll('_', '-');
  return `<h3 id="${id}">${escapeHtml(title)}</h3>
<figure><ol class="sequence" role="list" aria-labelledby="${id}">
${steps.map((step) => stepHtml(step, requests)).join('\n')}
</ol></figure>`;
}

function stepHtml(step: SequenceStep, requests: Requests): string {
  const { title, operation, body, test_card, offer, answer_status, optional, events } = step;
  const request = requests.get(operation);
  if (request === undefined)
    throw new Error(`A sequence names the operation ${operation}, which does not exist.`);
  const card = test_card === undefined ? '' : ` with the test card <code>${test_card}</code>`;
  const sent = body === undefined ? '' : `<code>${escapeHtml(jsonText(body))}</code>`;
  const plan = offer === undefined ? '' : ` Offer: <code>${escapeHtml(jsonText(offer))}</code>`;
  const answer = answer_status === undefined ? '' : ` Answer: ${answer_status}`;
  const note = optional ? ' <span class="note">optional</span>' : '';
  const sends = events.length === 0 ? '' : `<ol role="list">${events.map(eventHtml).join('\n')}</ol>`;
  return `<li${optional ? ' class="optional"' : ''}><div class="step"><strong>${escapeHtml(title)}</strong>${note}
<div class="request"><code>${escapeHtml(request)}</code>${card} ${sent}${plan}${answer}</div></div>
${sends}</li>`;
}

function eventHtml({ event, status, required, when = '' }: SequenceEvent): string {
  const note = required ? '' : ` <span class="note">only if ${escapeHtml(when)}</span>`;
  return `<li${required ? '' : ' class="optional"'}><code class="event">${escapeHtml(event)}</code>
<code class="status">${escapeHtml(status)}</code>${note}</li>`;
}

/** JSON on one line, with spaces where lines can break. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/\{ | \}/g, (brace) => brace.trim());
}
