import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';
import type { AdvancedClock } from '../../services/clock/advance-clock.ts';
import type { ClockReading } from '../../services/clock/get-clock.ts';

type Schemas = components['schemas'];

export function clockAnswer({ now, target }: ClockReading): Schemas['Clock'] {
  return {
    now: utcMicros(now),
    status: target === null ? 'idle' : 'advancing',
    target: target === null ? null : utcMicros(target),
  };
}

/** The clock after a move, with the steps that ran and their events. */
export function advanceAnswer(advanced: AdvancedClock): Schemas['ClockAdvanceResult'] {
  const { steps, events } = advanced;
  return {
    ...clockAnswer(advanced),
    counts: { steps: steps.total, events: events.total },
    steps: steps.first.map(({ at, step, objectId }) => ({ at: utcMicros(at), step, object_id: objectId })),
    events: events.first.map(({ id, event, createdAt }) => ({
      id,
      event: event as Schemas['EventName'],
      created_at: utcMicros(createdAt),
    })),
  };
}
