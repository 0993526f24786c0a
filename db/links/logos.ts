import type { Logo, LogoType } from '../../domain/links/logo.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

/** A logo that is due to be fetched, claimed by this process until the lease ends. */
export interface DueLogo extends MerchantScope {
  readonly linkId: string;
  readonly url: string;
  /** Including this one. */
  readonly attempts: number;
}

/** A stored logo. `version` begins the SHA-256 of its bytes. */
export interface StoredLogo extends Logo {
  readonly version: string;
}

/** Makes the logo at `url` due at `dueAt` (wall time), in place of an earlier one. Null removes the logo. */
export async function replaceLogo(
  tx: Tx,
  scope: MerchantScope,
  { linkId, url, dueAt }: { readonly linkId: string; readonly url: string | null; readonly dueAt: Date },
): Promise<void> {
  const id = { link_id: linkId };
  if (url === null) {
    await tx.execute(scope, 'delete from payment_link_logos where {scope} and link_id = :link_id', id);
    return;
  }
  await tx.execute(
    scope,
    `insert into payment_link_logos (slot, merchant_id, link_id, url, due_at)
     values (:slot, :merchant_id, :link_id, :url, :due_at)
     on conflict (slot, merchant_id, link_id) do update
        set url = excluded.url, due_at = excluded.due_at, attempts = 0,
            content_type = null, bytes = null, version = null`,
    { ...id, url, due_at: dueAt },
  );
}

/** Slots in which a logo is due at `wall`. */
export async function slotsWithDueLogos(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from payment_link_logos where due_at is not null and due_at <= :wall',
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

/** Claims due logos of a slot: other processes do not find them before `leasedUntil` (wall time). */
export async function claimDueLogos(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date; readonly leasedUntil: Date },
): Promise<DueLogo[]> {
  const rows = await db.slotRows<{
    slot: number;
    merchant_id: string;
    link_id: string;
    url: string;
    attempts: number;
  }>(
    slot,
    `with due as materialized (
       select slot, merchant_id, link_id from payment_link_logos
        where {slot} and due_at is not null and due_at <= :wall and ${claimCondition()}
        order by due_at limit :limit for update skip locked
     )
     update payment_link_logos l set due_at = :leased_until, attempts = l.attempts + 1
       from due where {slot:l} and l.merchant_id = due.merchant_id and l.link_id = due.link_id
     returning l.slot, l.merchant_id, l.link_id, l.url, l.attempts`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map(({ merchant_id, link_id, ...row }) => ({
    ...row,
    merchantId: merchant_id,
    linkId: link_id,
  }));
}

/** Writes the result of an attempt, unless the link has another logo now. `retryAt`: wall time. */
export async function settleLogo(
  q: Queryable,
  { linkId, url, ...scope }: DueLogo,
  { logo, retryAt }: { readonly logo: StoredLogo | null; readonly retryAt: Date | null },
): Promise<void> {
  await q.execute(
    scope,
    `update payment_link_logos
        set due_at = :retry_at, content_type = :content_type, bytes = :bytes, version = :version
      where {scope} and link_id = :link_id and url = :url and due_at is not null`,
    {
      link_id: linkId,
      url,
      retry_at: retryAt,
      content_type: logo?.type ?? null,
      bytes: logo?.bytes ?? null,
      version: logo?.version ?? null,
    },
  );
}

/** The version of a link's logo; undefined if none is stored. */
export async function findLogoVersion(
  q: Queryable,
  scope: MerchantScope,
  linkId: string,
): Promise<string | undefined> {
  const row = await q.maybeOne<{ version: string }>(
    scope,
    'select version from payment_link_logos where {scope} and link_id = :link_id and version is not null',
    { link_id: linkId },
  );
  return row?.version;
}

/** A version of a link's logo; undefined if it is not stored. */
export async function findLogo(
  q: Queryable,
  scope: MerchantScope,
  { linkId, version }: { readonly linkId: string; readonly version: string },
): Promise<Logo | undefined> {
  const row = await q.maybeOne<{ content_type: LogoType; bytes: Buffer }>(
    scope,
    `select content_type, bytes from payment_link_logos
      where {scope} and link_id = :link_id and version = :version`,
    { link_id: linkId, version },
  );
  return row && { type: row.content_type, bytes: row.bytes };
}
