import type { Card } from '../../domain/cards/card.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk, eachOnce } from '../engine/bulk.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { rowsById } from '../engine/rows-by-id.ts';
import { SEALED_COLUMNS, type SealedNumber, type SealedNumberRow, toSealedNumber, USABLE } from './cards.ts';

/** Stores the sealed code of a card until its first authorization, or until `expiresAt` (wall time). */
export async function putSecurityCode(
  tx: Tx,
  scope: MerchantScope,
  code: { readonly cardId: Card['id']; readonly codeSealed: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `insert into card_security_codes (slot, merchant_id, card_id, code_sealed, expires_at)
     values (:slot, :merchant_id, :card_id, :code_sealed, :expires_at)
     on conflict (slot, merchant_id, card_id) do update
       set code_sealed = excluded.code_sealed, expires_at = excluded.expires_at`,
    { card_id: code.cardId, code_sealed: code.codeSealed, expires_at: code.expiresAt },
  );
}

/** Deletes the code of a card. Returns false when there was none, or another authorization deleted it first. */
export function deleteSecurityCode(tx: Tx, scope: MerchantScope, cardId: string): Promise<boolean> {
  return deleteCodes(tx, scope, cardId);
}

const deleteCodes = bulk(async (tx: Tx, scope, cardIds: readonly string[]) => {
  const deleted = await tx.rows<{ card_id: string }>(
    scope,
    'delete from card_security_codes where {scope} and card_id = any(:card_ids) returning card_id',
    { card_ids: cardIds },
  );
  return eachOnce(
    cardIds,
    deleted.map(({ card_id }) => card_id),
  );
});

/** A card that can be used, with its sealed number, and its sealed code and network token if there are any. */
export interface SealedCard extends SealedNumber {
  readonly codeSealed: Buffer | null;
}

/** A card that can be used. It has no code if that has expired at `wall`. */
export function findSealedCard(
  q: Queryable,
  scope: MerchantScope,
  cardId: string,
  wall: Date,
): Promise<SealedCard | undefined> {
  return findSealedCards(q, scope, { cardId, wall });
}

type SealedRow = SealedNumberRow & { code_sealed: Buffer | null };

const findSealedCards = bulk(
  async (q: Queryable, scope, wanted: readonly { readonly cardId: string; readonly wall: Date }[]) => {
    const rows = await q.rows<SealedRow>(
      scope,
      rowsById(`select ${SEALED_COLUMNS},
              (select code_sealed from card_security_codes s
                where {scope:s} and s.card_id = cards.id and s.expires_at > :wall) as code_sealed
         from cards where {scope} and ${USABLE}`),
      { ids: wanted.map(({ cardId }) => cardId), wall: wanted.at(-1)!.wall },
    );
    const found = new Map(
      rows.map((row) => [row.id, { ...toSealedNumber(row), codeSealed: row.code_sealed }]),
    );
    return wanted.map(({ cardId }) => found.get(cardId));
  },
);

/** Slots with codes that have expired at `wall`. */
export async function slotsWithExpiredCodes(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from card_security_codes where expires_at <= :wall',
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

/** Deletes at most `limit` expired codes of a slot. Resolves to the merchant of each code. */
export async function deleteExpiredCodes(
  db: Database,
  slot: number,
  { wall, limit }: { readonly wall: Date; readonly limit: number },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `delete from card_security_codes where {slot} and (merchant_id, card_id) in (
       select merchant_id, card_id from card_security_codes where {slot} and expires_at <= :wall limit :limit)
     returning merchant_id`,
    { wall, limit },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}
