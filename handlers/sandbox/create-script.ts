import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';
import { createScript as create, type Script } from '../../services/create-script.ts';
import type { Handler } from '../http/handler.ts';

type ScriptAnswer = components['schemas']['Script'];

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

function scriptAnswer(script: Script): ScriptAnswer {
  return {
    id: script.id,
    customer_id: script.customerId,
    card_id: script.cardId,
    outcomes: script.outcomes as ScriptAnswer['outcomes'],
    remaining: script.remaining,
    created_at: utcMicros(script.createdAt),
  };
}
