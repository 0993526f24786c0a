import { isCardRefusalCode } from '../../domain/refusal-reasons.ts';
import type { SandboxScript } from '../sandbox-control.ts';
import type { Act } from './behaviours.ts';
import type { Queryable, Tx } from './store.ts';

/** Keeps a script's outcomes, behind those already waiting; one sent before is not added twice, be it used up. */
export async function addScript(q: Queryable, script: SandboxScript): Promise<void> {
  const { account, scriptId, customerId, cardId, outcomes } = script;
  await q.query(
    `with script as (
        insert into simulator.scripts (account, script_id) values ($1, $2) on conflict do nothing returning 1)
      insert into simulator.script_steps (account, script_id, step, customer_id, card_id, operation, outcome)
      select $1, $2, n, $3, $4, operation, outcome
      from script, unnest($5::text[], $6::text[]) with ordinality as s (operation, outcome, n) order by n`,
    [account, scriptId, customerId, cardId, outcomes.map((o) => o.operation), outcomes.map((o) => o.outcome)],
  );
}

/** Whose script, and for which of its calls. */
export interface ScriptSubject {
  readonly account: string;
  readonly customerId: string;
  readonly card: { readonly id: string } | null;
}

/**
 * Takes the next outcome that was scripted for this call, or null. Calls of one customer or card at the same time
 * wait for each other here, so that the outcomes are taken in order and one that is rolled back is not skipped.
 */
export async function takeScriptStep(
  tx: Tx,
  subject: ScriptSubject,
  operation: 'authorize' | 'capture' | 'cancel' | 'refund',
): Promise<Act | null> {
  const { rows } = await tx.query({
    name: 'take-script-step',
    text: `delete from simulator.script_steps where account = $1 and position = (
        select position from simulator.script_steps
        where account = $1 and operation = $2 and (customer_id = $3 or card_id = $4)
        order by position limit 1 for update)
      returning outcome`,
    values: [subject.account, operation, subject.customerId, subject.card?.id ?? null],
  });
  return rows[0] ? { outcome: scriptedOutcome(rows[0].outcome) } : null;
}

/** A word of a script as an act; one that nobody knows reads as `processing_error`. */
function scriptedOutcome(word: string): Act['outcome'] {
  if (word === 'approve' || word === 'time_out' || word === 'time_out_lost') return word;
  return isCardRefusalCode(word) ? word : 'processing_error';
}
