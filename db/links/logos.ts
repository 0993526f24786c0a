import type {
  Logo,
  LogoProblem,
  LogoState,
  LogoStatus,
  LogoType,
  StoredLogo,
} from '../../domain/links/logo.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

/** A logo that is due to be fetched, claimed by this process until the lease ends. */
export interface DueLogo extends MerchantScope {
  readonly url: string;
  /** Including this one. */
  readonly attempts: number;
}

/** What a move writes: the logo, why there is none, or when the next attempt to fetch it is due (wall time). */
export type LogoResult =
  | { readonly logo: StoredLogo }
  | { readonly dueAt: Date }
  | { readonly problem: LogoProblem };

/** The status of a row: exactly one of the three columns is set. */
const STATUS = `case when due_at is not null then 'pending' when version is not null then 'available' else 'failed' end`;

/**
 * Adds the logo at `url`, which is due to be fetched at `dueAt` (wall time), unless the merchant has it already. Its
 * row is locked until the transaction ends.
 */
export async function addLogo(
  tx: Tx,
  scope: MerchantScope,
  { url, dueAt }: { readonly url: string; readonly dueAt: Date },
): Promise<void> {
  // The update changes nothing. It locks a row that exists.
  await tx.execute(
    scope,
    `insert into payment_link_logos (slot, merchant_id, url, due_at)
     values (:slot, :merchant_id, :url, :due_at)
     on conflict (slot, merchant_id, url) do update set url = excluded.url`,
    { url, due_at: dueAt },
  );
}

/** Deletes the logo at `url`, unless a link refers to it. */
export async function dropUnusedLogo(tx: Tx, scope: MerchantScope, url: string): Promise<void> {
  // The next statement then sees the links of transactions that have used the logo in the meantime.
  await tx.rows(scope, 'select 1 from payment_link_logos where {scope} and url = :url for update', { url });
  await tx.execute(
    scope,
    `delete from payment_link_logos where {scope} and url = :url
       and not exists (select 1 from payment_links l where {scope:l} and l.logo_url = :url)`,
    { url },
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
  const rows = await db.slotRows<{ slot: number; merchant_id: string; url: string; attempts: number }>(
    slot,
    `with due as materialized (
       select slot, merchant_id, url from payment_link_logos
        where {slot} and due_at is not null and due_at <= :wall and ${claimCondition()}
        order by due_at limit :limit for update skip locked
     )
     update payment_link_logos l set due_at = :leased_until, attempts = l.attempts + 1
       from due where {slot:l} and l.merchant_id = due.merchant_id and l.url = due.url
     returning l.slot, l.merchant_id, l.url, l.attempts`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map(({ merchant_id, ...row }) => ({ ...row, merchantId: merchant_id }));
}

/** Writes a move of a logo whose status is one of `from`. A logo that failed before starts again to count attempts. */
export async function moveLogoRow(
  q: Queryable,
  scope: MerchantScope,
  move: { readonly url: string; readonly from: readonly LogoStatus[]; readonly result: LogoResult },
): Promise<void> {
  const { url, from, result } = move;
  const logo = 'logo' in result ? result.logo : null;
  const problem = 'problem' in result ? result.problem : null;
  await q.execute(
    scope,
    `update payment_link_logos
        set due_at = :due_at, content_type = :content_type, bytes = :bytes, version = :version,
            problem_code = :problem_code, problem_message = :problem_message,
            attempts = case when problem_code is null then attempts else 0 end
      where {scope} and url = :url and ${STATUS} = any(:from)`,
    {
      url,
      from,
      due_at: 'dueAt' in result ? result.dueAt : null,
      content_type: logo?.type ?? null,
      bytes: logo?.bytes ?? null,
      version: logo?.version ?? null,
      problem_code: problem?.code ?? null,
      problem_message: problem?.message ?? null,
    },
  );
}

interface LogoStateRow {
  url: string;
  status: LogoStatus;
  problem_code: LogoProblem['code'] | null;
  problem_message: string | null;
}

/** The states of the logos at these addresses. */
export async function findLogoStates(
  q: Queryable,
  scope: MerchantScope,
  urls: readonly string[],
): Promise<ReadonlyMap<string, LogoState>> {
  const rows = await q.rows<LogoStateRow>(
    scope,
    `select url, ${STATUS} as status, problem_code, problem_message from payment_link_logos
      where {scope} and url = any(:urls)`,
    { urls },
  );
  return new Map(rows.map((row) => [row.url, stateOf(row)]));
}

function stateOf({ status, problem_code: code, problem_message: message }: LogoStateRow): LogoState {
  return { status, problem: code === null ? null : { code, message: message! } };
}

/** The version of a link's logo; undefined if none is stored. */
export async function findLogoVersion(
  q: Queryable,
  scope: MerchantScope,
  linkId: string,
): Promise<string | undefined> {
  const row = await q.maybeOne<{ version: string }>(
    scope,
    `select g.version from payment_links l join payment_link_logos g on {scope:g} and g.url = l.logo_url
      where {scope:l} and l.id = :link_id and g.version is not null`,
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
    `select g.content_type, g.bytes
       from payment_links l join payment_link_logos g on {scope:g} and g.url = l.logo_url
      where {scope:l} and l.id = :link_id and g.version = :version`,
    { link_id: linkId, version },
  );
  return row && { type: row.content_type, bytes: row.bytes };
}
