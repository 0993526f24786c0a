import { createScript as create } from '../../services/sandbox/create-script.ts';
import type { Handler } from '../http/handler.ts';
import { scriptAnswer } from './script-answer.ts';

export const createScript: Handler<'createScript'> = ({ deps, merchant, body, newId, answer }) =>
  create(
    deps,
    merchant,
    {
      id: newId,
      customerId: body.customer_id ?? null,
      cardId: body.card_id ?? null,
      outcomes: body.outcomes,
    },
    answer((script) => ({ status: 201, body: scriptAnswer(script) })),
  );
