import { listEvents as listEventRecords } from '../../services/events/list-events.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { eventAnswer } from './event-answer.ts';

export const listEvents: Handler<'listEvents'> = async ({ deps, merchant, query }) => {
  const page = await listEventRecords(deps, merchant, {
    page: pageInput(query),
    event: query.event,
    paymentId: query.payment_id,
  });
  return { status: 200, body: pageAnswer(page, (event) => eventAnswer(event, deps.environment)) };
};
