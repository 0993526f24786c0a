import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Context, fileName, isNode, type Node, type Rule } from './context.ts';

const TEXT = { type: 'string', minLength: 1 };

/** The form of a sequence. The guide "Sequences of events" explains it to readers. */
const SEQUENCE = {
  type: 'object',
  required: ['title', 'topic', 'steps'],
  additionalProperties: false,
  properties: {
    title: TEXT,
    topic: { type: 'string', pattern: '^[a-z_]+$' },
    steps: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['title', 'operation', 'events'],
        additionalProperties: false,
        properties: {
          title: TEXT,
          operation: TEXT,
          body: { type: 'object' },
          test_card: { type: 'string', pattern: '^[0-9]{16}$' },
          offer: { type: 'object' },
          answer_status: { type: 'integer', minimum: 400, maximum: 499 },
          optional: { const: true },
          // Empty where a request only prepares the next step.
          events: {
            type: 'array',
            items: {
              type: 'object',
              required: ['event', 'status', 'required'],
              additionalProperties: false,
              properties: { event: TEXT, status: TEXT, required: { type: 'boolean' }, when: TEXT },
              // An optional event says when it is sent.
              if: { properties: { required: { const: false } } },
              // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
              then: { required: ['when'] },
              else: { properties: { when: { not: {} } } },
            },
          },
        },
      },
    },
  },
};

const isSequence = new Ajv2020({ allErrors: true, strictRequired: false }).compile<Sequence>(SEQUENCE);

interface Sequence {
  readonly steps: readonly {
    readonly operation: string;
    readonly optional?: true;
    readonly events: readonly { readonly event: string; readonly required: boolean }[];
  }[];
}

/**
 * `x-event-sequences` has the form above, names operations and events of the contract, and shows every event at least
 * once. A ping is not an event: it follows no change.
 */
export const eventSequences: Rule = () => ({
  Root: (root, context) => {
    const { report, resolve, location } = context;
    const events = Object.keys((root.webhooks ?? {}) as Node).filter((name) => name !== 'ping');
    const known = { events: new Set(events), operations: operationIds(root, context) };
    const shown = new Set<string>();
    for (const [name, raw] of Object.entries((root['x-event-sequences'] ?? {}) as Node)) {
      const { node, location: at = location } = resolve(raw);
      if (fileName(at) !== name) report({ message: `The file of ${name} must be ${name}.yaml.` });
      if (!isSequence(node)) {
        report({ message: `${name}: ${sentences(isSequence.errors ?? [])}`, location: at });
        continue;
      }
      for (const message of faultsOf(node, known)) report({ message: `${name}: ${message}`, location: at });
      for (const { event } of node.steps.flatMap((step) => step.events)) shown.add(event);
    }
    const missing = events.filter((event) => !shown.has(event));
    if (missing.length === 0) return;
    report({
      message: `No sequence shows ${missing.join(', ')}.`,
      location: location.child(['x-event-sequences']),
    });
  },
});

interface Known {
  readonly events: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
}

function faultsOf({ steps }: Sequence, known: Known): string[] {
  const faults = steps.flatMap(({ operation, optional, events }) => [
    ...(known.operations.has(operation) ? [] : [`There is no operation ${operation}.`]),
    ...events
      .filter(({ event }) => !known.events.has(event))
      .map(({ event }) => `There is no event ${event}.`),
    ...(optional && events.some(({ required }) => required)
      ? ['The events of an optional step are optional.']
      : []),
  ]);
  return steps.at(-1)!.events.length === 0 ? [...faults, 'The last step has no events.'] : faults;
}

function operationIds(root: Node, { resolve }: Context): Set<string> {
  const items = Object.values((root.paths ?? {}) as Node).filter(isNode);
  const operations = items.flatMap((item) => Object.values(item)).map((raw) => resolve(raw).node);
  return new Set(operations.map((operation) => String(operation?.operationId)));
}

function sentences(errors: readonly ErrorObject[]): string {
  return errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}.`).join(' ');
}
