import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import {
  VERIFICATION_PATH,
  type WalletDomain,
  type WalletDomainProblem,
  type WalletDomainStatus,
} from '../../domain/wallet/wallet-domain.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { defineList } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface WalletDomainRow {
  id: string;
  domain_name: string;
  status: WalletDomainStatus;
  verification_content: string;
  failed_checks: number;
  verified_at: Date | null;
  problem_code: WalletDomainProblem['code'] | null;
  problem_message: string | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, domain_name, status, verification_content, failed_checks, verified_at, problem_code, problem_message,
    created_at, updated_at`;

/** Counts the merchant's domains. Other transactions that count them wait until this one ends. */
export async function lockWalletDomainCount(tx: Tx, scope: MerchantScope): Promise<number> {
  await tx.one(scope, 'select merchant_id from merchants where {scope} for no key update');
  const row = await tx.one<{ count: number }>(
    scope,
    'select count(*) as count from wallet_domains where {scope}',
  );
  return row.count;
}

/** Returns false, with nothing written, if the merchant has registered the name before. */
export async function insertWalletDomain(
  tx: Tx,
  scope: MerchantScope,
  domain: WalletDomain,
): Promise<boolean> {
  const inserted = await tx.execute(
    scope,
    `insert into wallet_domains (slot, merchant_id, id, domain_name, status, verification_content, created_at,
       updated_at)
     values (:slot, :merchant_id, :id, :domain_name, :status, :verification_content, :created_at, :created_at)
     on conflict (slot, merchant_id, domain_name) do nothing`,
    {
      id: domain.id,
      domain_name: domain.domainName,
      status: domain.status,
      verification_content: domain.verificationContent,
      created_at: domain.createdAt,
    },
  );
  return inserted === 1;
}

export async function findWalletDomain(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<WalletDomain | undefined> {
  const row = await q.maybeOne<WalletDomainRow>(
    scope,
    `select ${COLUMNS} from wallet_domains where {scope} and id = :id`,
    { id },
  );
  return row && toWalletDomain(row);
}

export async function findWalletDomainByName(
  q: Queryable,
  scope: MerchantScope,
  name: string,
): Promise<WalletDomain | undefined> {
  const row = await q.maybeOne<WalletDomainRow>(
    scope,
    `select ${COLUMNS} from wallet_domains where {scope} and domain_name = :name`,
    { name },
  );
  return row && toWalletDomain(row);
}

const DOMAINS = defineList<WalletDomainRow, object>({
  columns: COLUMNS,
  from: 'wallet_domains',
  filters: {},
});

/** Domains of the merchant, newest first. */
export async function listWalletDomains(
  q: Queryable,
  scope: MerchantScope,
  page: PageRequest,
): Promise<Page<WalletDomain>> {
  return mapPage(await fetchPage(q, scope, DOMAINS, {}, page), toWalletDomain);
}

/** Returns false if there is no such domain. */
export async function deleteWalletDomain(tx: Tx, scope: MerchantScope, id: string): Promise<boolean> {
  return (await tx.execute(scope, 'delete from wallet_domains where {scope} and id = :id', { id })) === 1;
}

export interface WalletDomainChange extends RowMove<WalletDomainStatus> {
  readonly id: string;
  readonly failedChecks: number;
  readonly problem: WalletDomainProblem | null;
  /** When a verified domain is checked again; null for every other status. */
  readonly nextCheckAt: Date | null;
  readonly at: Date;
}

/**
 * Moves a domain. Returns undefined, with nothing written, if it is not in `from`, or was deleted. The only statement
 * that changes its status.
 */
export async function moveWalletDomainRow(
  q: Queryable,
  scope: MerchantScope,
  change: WalletDomainChange,
): Promise<WalletDomain | undefined> {
  const row = await q.maybeOne<WalletDomainRow>(
    scope,
    `update wallet_domains
        set status = :to, failed_checks = :failed_checks, problem_code = :problem_code,
            problem_message = :problem_message, next_check_at = :next_check_at, updated_at = :at,
            verified_at = case when :to <> 'verified' then null when status = 'verified' then verified_at
              else :at end
      where {scope} and id = :id and status = any(:from)
      returning ${COLUMNS}`,
    {
      id: change.id,
      from: change.from,
      to: change.to,
      failed_checks: change.failedChecks,
      problem_code: change.problem?.code ?? null,
      problem_message: change.problem?.message ?? null,
      next_check_at: change.nextCheckAt,
      at: change.at,
    },
  );
  return row && toWalletDomain(row);
}

/** A domain that is due to be checked again. */
export interface DueWalletDomain extends MerchantScope {
  readonly domainId: string;
}

/** Slots in which a domain is due to be checked at `wall`. */
export async function slotsWithDueWalletDomains(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct slot from wallet_domains where next_check_at is not null and next_check_at <= :wall`,
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

/** Claims due domains of a slot: other processes do not find them before `leasedUntil` (wall time). */
export async function claimDueWalletDomains(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date; readonly leasedUntil: Date },
): Promise<DueWalletDomain[]> {
  const rows = await db.slotRows<{ slot: number; merchant_id: string; id: string }>(
    slot,
    `with due as materialized (
       select slot, merchant_id, id from wallet_domains
        where {slot} and next_check_at is not null and next_check_at <= :wall and ${claimCondition()}
        order by next_check_at limit :limit for update skip locked
     )
     update wallet_domains d set next_check_at = :leased_until
       from due where {slot:d} and d.merchant_id = due.merchant_id and d.id = due.id
     returning d.slot, d.merchant_id, d.id`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map(({ slot, merchant_id, id }) => ({ slot, merchantId: merchant_id, domainId: id }));
}

function toWalletDomain(row: WalletDomainRow): WalletDomain {
  const { problem_code: code, problem_message: message } = row;
  return {
    id: row.id,
    domainName: row.domain_name,
    status: row.status,
    verificationPath: VERIFICATION_PATH,
    verificationContent: row.verification_content,
    failedChecks: row.failed_checks,
    verifiedAt: row.verified_at,
    problem: code === null ? null : { code, message: message! },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
