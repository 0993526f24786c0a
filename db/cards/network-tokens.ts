import type { Card, NetworkTokenStatus } from '../../domain/cards/card.ts';
import type { MerchantClock } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { USABLE } from './cards.ts';

/** A card whose network token is due to be requested, claimed by this process until the lease ends. */
export interface DueNetworkToken extends MerchantScope {
  readonly cardId: string;
  readonly numberSealed: Buffer;
  readonly expMonth: string;
  readonly expYear: string;
  /** The same on every attempt. */
  readonly reference: string;
  /** Including this one. */
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
        where {slot} and network_token_due_at is not null and network_token_due_at <= :wall and ${claimCondition()}
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

/** The fields that a move of a network token writes, besides the status. */
export interface TokenChange {
  readonly cardId: Card['id'];
  /** The token, sealed by the vault; null for every status but `active`. */
  readonly sealed: Buffer | null;
  /** When the next request is due (wall time); null for every status but `requested`. */
  readonly dueAt: Date | null;
  /** The reference of a new request, whose attempts start at zero. Null keeps the current request. */
  readonly newReference: string | null;
  /** Moves the token only if this is the reference of its request. Null for any reference. */
  readonly ofReference: string | null;
  /** Time of a change that the merchant sees (merchant's time); null for other changes. */
  readonly at: Date | null;
}

/**
 * Makes a move of a card's network token. Returns false and writes nothing when the token is not in `from`, the request
 * is another one, or the card was deleted. The only statement that changes the status of a network token.
 */
export async function moveTokenRow(
  q: Queryable,
  scope: MerchantScope,
  { from, to, ...change }: RowMove<NetworkTokenStatus> & TokenChange,
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    `update cards set network_token_status = :to, network_token_sealed = :sealed, network_token_due_at = :due_at,
       network_token_reference = coalesce(cast(:new_reference as text), network_token_reference),
       network_token_attempts = case when cast(:new_reference as text) is null then network_token_attempts else 0 end,
       updated_at = coalesce(cast(:at as timestamptz), updated_at)
      where {scope} and id = :id and ${USABLE} and network_token_status = any(:from)
        and (cast(:of_reference as text) is null or network_token_reference = :of_reference)`,
    {
      id: change.cardId,
      from,
      to,
      sealed: change.sealed,
      due_at: change.dueAt,
      new_reference: change.newReference,
      of_reference: change.ofReference,
      at: change.at,
    },
  );
  return touched === 1;
}

/** The card whose network token was requested as `reference`, and its merchant. Reads one slot. */
export async function findCardOfToken(
  db: Database,
  slot: number,
  reference: string,
): Promise<(MerchantScope & { readonly cardId: string }) | undefined> {
  const [row] = await db.slotRows<{ merchant_id: string; id: string }>(
    slot,
    'select merchant_id, id from cards where {slot} and network_token_reference = :reference',
    { reference },
  );
  return row && { slot, merchantId: row.merchant_id, cardId: row.id };
}

/** What a network reports about the card of a token. */
export interface ReportedCard {
  readonly cardId: string;
  readonly first6: string;
  readonly last4: string;
  readonly expMonth: string;
  readonly expYear: string;
  /** When the card changed (merchant's time). */
  readonly at: Date;
}

/**
 * Writes the card that a network token charges from now on. Returns false, and writes nothing, if the same or a later
 * change was written before, or the card was deleted.
 */
export async function updateCardOfToken(
  tx: Tx,
  scope: MerchantScope,
  reported: ReportedCard,
): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `update cards set first_6 = :first_6, last_4 = :last_4, exp_month = :exp_month, exp_year = :exp_year,
       network_updated_at = :at, updated_at = :at
      where {scope} and id = :id and ${USABLE} and (network_updated_at is null or network_updated_at < :at)`,
    {
      id: reported.cardId,
      first_6: reported.first6,
      last_4: reported.last4,
      exp_month: reported.expMonth,
      exp_year: reported.expYear,
      at: reported.at,
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
