import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';
import type { StoredScript } from '../../services/sandbox/create-script.ts';

type ScriptAnswer = components['schemas']['Script'];

/** A script as in the contract. */
export function scriptAnswer(script: StoredScript): ScriptAnswer {
  return {
    id: script.scriptId,
    customer_id: script.customerId,
    card_id: script.cardId,
    outcomes: script.outcomes as ScriptAnswer['outcomes'],
    remaining: script.remaining.length,
    remaining_outcomes: script.remaining as ScriptAnswer['outcomes'],
    created_at: utcMicros(script.createdAt),
  };
}
