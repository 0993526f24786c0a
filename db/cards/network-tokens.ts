import type { Card, NetworkTokenStatus } from '../../domain/cards/card.ts';
import type { MerchantClock } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimable, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

/** A card whose network token is to be requested now, claimed by this process until its lease ends. */
export interface DueNetworkToken extends MerchantScope {
  readonly cardId: string;
  readonly numberSealed: Buffer;
  readonly expMonth: string;
  readonly expYear: string;
  /** The same on every attempt. */
  readonly reference: string;
  /** This one included. */
  readonly attempts: number;
  readonly clock: MerchantClock;
}

interface DueRow {
  slot: number;
  merchant_id: string;
  id: string;
  number_sealed: Buffer;
  exp_month: string;
  exp_year: string;
  network_token_reference: string;
  network_token_attempts: number;
  offset_ms: number | null;
  pinned_at: Date | null;
}

/** Has the job request a card's network token, also again, at `dueAt` (wall time). */
export async function requestToken(
  tx: Tx,
  scope: MerchantScope,
  request: {
    readonly cardId: Card['id'];
    readonly reference: string;
    readonly dueAt: Date;
    readonly at: Date;
  },
): Promise<void> {
  await tx.execute(
    scope,
    `update cards set network_token_status = 'requested', network_token_reference = :reference,
       network_token_due_at = :due_at, network_token_attempts = 0, updated_at = :at
      where {scope} and id = :id and deleted_at is null and network_token_status in ('none', 'failed')`,
    { id: request.cardId, reference: request.reference, due_at: request.dueAt, at: request.at },
  );
}

/** Slots in which a network token is due at `wall`. */
export async function slotsWithDueTokens(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct slot from cards
      where network_token_due_at is not null and network_token_due_at <= :wall`,
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

/** Claims due cards of a slot: other processes do not find them before `leasedUntil` (wall time). */
export async function claimDueTokens(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date; readonly leasedUntil: Date },
): Promise<DueNetworkToken[]> {
  const rows = await db.slotRows<DueRow>(
    slot,
    `with due as materialized (
       select slot, merchant_id, id from cards
        where {slot} and network_token_due_at is not null and network_token_due_at <= :wall and ${claimable()}
        order by network_token_due_at limit :limit for update skip locked
     ), claimed as (
       update cards c
          set network_token_due_at = :leased_until, network_token_attempts = c.network_token_attempts + 1
         from due where {slot:c} and c.merchant_id = due.merchant_id and c.id = due.id
       returning c.slot, c.merchant_id, c.id, c.number_sealed, c.exp_month, c.exp_year,
                 c.network_token_reference, c.network_token_attempts
     )
     select claimed.*, k.offset_ms, k.pinned_at from claimed
       left join merchant_clocks k on {slot:k} and k.merchant_id = claimed.merchant_id`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map(toDueToken);
}

/** The result of an attempt: `active` with its token, `failed`, or another attempt at `dueAt` (wall time). */
export type TokenResult =
  | { readonly status: 'active'; readonly tokenSealed: Buffer }
  | { readonly status: 'failed' }
  | { readonly status: 'requested'; readonly dueAt: Date };

/**
 * Writes the result of an attempt. Returns false, with nothing written, when the card was deleted meanwhile or the request
 * is not open any more.
 */
export async function settleToken(
  q: Queryable,
  due: DueNetworkToken,
  result: TokenResult,
  at: Date,
): Promise<boolean> {
  const touched = await q.execute(
    due,
    `update cards set network_token_status = :status, network_token_sealed = :sealed,
       network_token_due_at = :due_at,
       updated_at = case when :is_settled then :at else updated_at end
      where {scope} and id = :id and deleted_at is null
        and network_token_status = 'requested' and network_token_reference = :reference`,
    {
      id: due.cardId,
      reference: due.reference,
      status: result.status satisfies NetworkTokenStatus,
      sealed: result.status === 'active' ? result.tokenSealed : null,
      due_at: result.status === 'requested' ? result.dueAt : null,
      is_settled: result.status !== 'requested',
      at,
    },
  );
  return touched === 1;
}

function toDueToken(row: DueRow): DueNetworkToken {
  return {
    slot: row.slot,
    merchantId: row.merchant_id,
    cardId: row.id,
    numberSealed: row.number_sealed,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    reference: row.network_token_reference,
    attempts: row.network_token_attempts,
    clock: { offset_ms: row.offset_ms ?? 0, pinnedAt: row.pinned_at },
  };
}
