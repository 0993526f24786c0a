import { utcMicros } from '../../domain/local-time.ts';
import type { Environment } from '../../domain/merchants/api-key.ts';
import type { components } from '../../generated/types.ts';
import type { EventRecord } from '../../services/events/list-events.ts';

type EventAnswer = components['schemas']['Event'];

export function eventAnswer(event: EventRecord, environment: Environment): EventAnswer {
  return {
    id: event.id,
    event: event.event as EventAnswer['event'],
    object_type: event.objectType,
    object_id: event.objectId,
    created_at: utcMicros(event.createdAt),
    environment,
    data: event.data as EventAnswer['data'],
  };
}
