import { isCardRefusalCode } from '../../domain/payments/refusal-reasons.ts';
import type { SandboxScript, ScriptedOutcome, ScriptPage } from '../sandbox-control.ts';
import type { Act } from './behaviours.ts';
import type { Queryable, Tx } from './store.ts';

/** A script as the wire has it. */
interface WireScript {
  script_id: string;
  customer_id: string | null;
  card_id: string | null;
  outcomes: readonly ScriptedOutcome[];
  remaining: readonly ScriptedOutcome[];
  created_at: Date;
}

const SCRIPTS = `
  select script_id, customer_id, card_id, outcomes, created_at,
         coalesce((select jsonb_agg(jsonb_build_object('operation', operation, 'outcome', outcome) order by position)
                     from simulator.script_steps t
                    where t.account = s.account and t.script_id = s.script_id), '[]') as remaining
    from simulator.scripts s`;

/** Keeps a script, its outcomes behind those already waiting; one sent before is not added twice, be it used up. */
export async function addScript(q: Queryable, script: SandboxScript): Promise<WireScript> {
  const { account, scriptId, customerId, cardId, outcomes, createdAt } = script;
  await q.query(
    `with script as (
        insert into simulator.scripts (account, script_id, customer_id, card_id, outcomes, created_at)
        values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning 1)
      insert into simulator.script_steps (account, script_id, step, customer_id, card_id, operation, outcome)
      select $1, $2, n, $3, $4, step ->> 'operation', step ->> 'outcome'
      from script, jsonb_array_elements($5) with ordinality as s (step, n) order by n`,
    [account, scriptId, customerId, cardId, JSON.stringify(outcomes), createdAt],
  );
  const stored = `${SCRIPTS} where account = $1 and script_id = $2`;
  const { rows } = await q.query<WireScript>(stored, [account, scriptId]);
  if (rows[0] === undefined) throw new Error('The account was reset while the script was kept.');
  return rows[0];
}

/** The account's scripts with what remains of them, newest first, after the one that a page before ended with. */
export async function listScripts(
  q: Queryable,
  account: string,
  { limit, after }: ScriptPage,
): Promise<WireScript[]> {
  const { rows } = await q.query<WireScript>(
    `${SCRIPTS}
      where account = $1 and ($3::timestamptz is null or (created_at, script_id) < ($3, $4))
      order by created_at desc, script_id desc limit $2`,
    [account, limit, after?.createdAt ?? null, after?.id ?? null],
  );
  return rows;
}

/** Deletes a script and what remains of it; false when there is none. A call that takes a step now still has it. */
export async function dropScript(q: Queryable, account: string, scriptId: string): Promise<boolean> {
  const { rowCount } = await q.query(
    `with steps as (delete from simulator.script_steps where account = $1 and script_id = $2)
      delete from simulator.scripts where account = $1 and script_id = $2`,
    [account, scriptId],
  );
  return rowCount === 1;
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
