import { getEvent as findEvent } from '../../services/events/list-events.ts';
import type { Handler } from '../http/handler.ts';
import { eventAnswer } from './event-answer.ts';

export const getEvent: Handler<'getEvent'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: eventAnswer(await findEvent(deps, merchant, path.id), deps.environment),
});
