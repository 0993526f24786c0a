import type { Tools } from './contents.ts';
import { entriesOf, type Node } from './document.ts';

/** Compares the sequences of events. An event that is new, or is now always sent, breaks nothing. */
export function compareSequences({ before, after, report }: Tools): void {
  const left = new Map(entriesOf(after.root['x-event-sequences']));
  for (const [name, sequence] of entriesOf(before.root['x-event-sequences'])) {
    const is = left.get(name);
    if (is === undefined) {
      report('sequence-changed', name, 'is removed');
      continue;
    }
    const sent = certainEvents(after.follow(is));
    let from = 0;
    for (const event of certainEvents(before.follow(sequence))) {
      const place = sent.indexOf(event, from);
      if (place === -1) report('sequence-changed', name, `${event} is not always sent, or earlier`);
      else from = place + 1;
    }
  }
}

/** `payment.updated (paid)` for each event that is always sent, in order. */
function certainEvents({ steps }: Node): string[] {
  return ((steps ?? []) as Step[])
    .flatMap(({ events }) => events)
    .filter(({ required }) => required)
    .map(({ event, status }) => `${event} (${status})`);
}

interface Step {
  readonly events: readonly {
    readonly event: string;
    readonly status: string;
    readonly required: boolean;
  }[];
}
