import { isCardRefusalCode } from '../../domain/payments/refusal-reasons.ts';
import type { SandboxScript, ScriptedOutcome, ScriptPage } from '../sandbox-control.ts';
import type { CallBehaviour } from './behaviours.ts';
import type { Queryable, Tx } from './database.ts';

/** A script on the wire. */
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

/** Adds a script. Its outcomes come after those of earlier scripts. A script with a known id is not added again. */
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
  if (rows[0] === undefined) throw new Error('The account was reset while the script was added.');
  return rows[0];
}

/** A page of the account's scripts with their remaining outcomes, newest first. */
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

/**
 * Deletes a script with its remaining outcomes. Returns false when there is none. A call that has taken a step keeps
 * it.
 */
export async function dropScript(q: Queryable, account: string, scriptId: string): Promise<boolean> {
  const { rowCount } = await q.query(
    `with steps as (delete from simulator.script_steps where account = $1 and script_id = $2)
      delete from simulator.scripts where account = $1 and script_id = $2`,
    [account, scriptId],
  );
  return rowCount === 1;
}

/** A call that a script can decide. */
export type ScriptedCall = ScriptedOutcome['operation'];

/** Selects scripts: those of the customer, and those of the card. */
export interface ScriptSubject {
  readonly account: string;
  readonly customerId: string;
  readonly card: { readonly id: string } | null;
}

/** Takes the next scripted outcome for this call, and returns its behaviour. Null if there is none. */
export async function takeScriptedBehaviour(
  tx: Tx,
  subject: ScriptSubject,
  operation: ScriptedCall,
): Promise<CallBehaviour | null> {
  const outcome = await takeScriptedOutcome(tx, subject, operation);
  return outcome === null ? null : scriptedBehaviour(outcome);
}

/**
 * Takes the next scripted outcome for this call; null if there is none. Simultaneous calls for one customer or card
 * wait for each other here. So outcomes are taken in order, and if a transaction is rolled back, its outcome is not
 * lost.
 */
export async function takeScriptedOutcome(
  tx: Tx,
  subject: ScriptSubject,
  operation: ScriptedCall,
): Promise<string | null> {
  const { rows } = await tx.query({
    name: 'take-script-step',
    text: `delete from simulator.script_steps where account = $1 and position = (
        select position from simulator.script_steps
        where account = $1 and operation = $2 and (customer_id = $3 or card_id = $4)
        order by position limit 1 for update)
      returning outcome`,
    values: [subject.account, operation, subject.customerId, subject.card?.id ?? null],
  });
  return rows[0]?.outcome ?? null;
}

/** The behaviour for an outcome in a script. An unknown outcome is a refusal with `processing_error`. */
export function scriptedBehaviour(outcome: string): CallBehaviour {
  if (outcome === 'approve' || outcome === 'time_out' || outcome === 'time_out_lost') return { outcome };
  return { outcome: isCardRefusalCode(outcome) ? outcome : 'processing_error' };
}
