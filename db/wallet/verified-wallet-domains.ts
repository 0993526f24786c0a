import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/** A domain name, with the slot that is derived from it. */
export interface DomainKey {
  readonly slot: number;
  readonly domainName: string;
}

/** Who has a domain name verified. */
export interface DomainOwner extends MerchantScope {
  readonly domainId: string;
}

export async function findDomainOwner(
  db: Database,
  { slot, domainName }: DomainKey,
): Promise<DomainOwner | undefined> {
  const [row] = await db.slotRows<{ merchant_slot: number; merchant_id: string; domain_id: string }>(
    slot,
    `select merchant_slot, merchant_id, domain_id from verified_wallet_domains
      where {slot} and domain_name = :domain_name`,
    { domain_name: domainName },
  );
  return row && { slot: row.merchant_slot, merchantId: row.merchant_id, domainId: row.domain_id };
}

/** Makes `owner` the one who has the name verified, in place of any other. */
export async function setDomainOwner(
  db: Database,
  { slot, domainName }: DomainKey,
  owner: DomainOwner,
): Promise<void> {
  await db.slotRows(
    slot,
    `insert into verified_wallet_domains (slot, merchant_id, domain_name, merchant_slot, domain_id)
     values (:slot, :merchant_id, :domain_name, :merchant_slot, :domain_id)
     on conflict (slot, domain_name) do update
       set merchant_id = excluded.merchant_id, merchant_slot = excluded.merchant_slot, domain_id = excluded.domain_id`,
    {
      merchant_id: owner.merchantId,
      domain_name: domainName,
      merchant_slot: owner.slot,
      domain_id: owner.domainId,
    },
  );
}

/** Removes the name unless another domain record has it verified. */
export async function removeDomainOwner(
  db: Database,
  { slot, domainName }: DomainKey,
  domainId: string,
): Promise<void> {
  await db.slotRows(
    slot,
    `delete from verified_wallet_domains where {slot} and domain_name = :domain_name and domain_id = :domain_id`,
    { domain_name: domainName, domain_id: domainId },
  );
}
