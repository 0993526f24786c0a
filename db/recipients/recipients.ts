import { normalizeEmail } from '../../domain/email.ts';
import type { BankAccountSummary, Recipient } from '../../domain/recipients/recipient.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { rowsById, valuesOf } from '../engine/rows-by-id.ts';
import { COLUMNS, profileColumns, type RecipientRow, toRecipient } from './recipient-row.ts';

/** Identifies one recipient of a merchant. An e-mail is compared without case. */
export interface RecipientKey {
  readonly by: 'id' | 'hash' | 'number' | 'email';
  readonly value: string;
}

const KEY_COLUMNS = { id: 'id', hash: 'hash', number: 'number', email: 'email_key' } as const;

/** Bank data as it is stored: sealed, with the parts that answers show in plain text. */
export interface StoredBankAccount extends BankAccountSummary {
  readonly sealed: Buffer;
}

/** The recipient with this key; undefined when the merchant has none. */
export async function findRecipient(
  q: Queryable,
  scope: MerchantScope,
  key: RecipientKey,
): Promise<Recipient | undefined> {
  const row = await q.maybeOne<RecipientRow>(scope, selectBy(key, COLUMNS), { value: keyValue(key) });
  return row && toRecipient(row);
}

/** A recipient and its sealed bank data, locked until the transaction ends. */
export async function lockRecipient(
  tx: Tx,
  scope: MerchantScope,
  key: RecipientKey,
): Promise<{ recipient: Recipient; sealedBankAccount: Buffer | null } | undefined> {
  const sql = `${selectBy(key, `${COLUMNS}, bank_account_sealed`)} for update`;
  const row = await tx.maybeOne<RecipientRow & { bank_account_sealed: Buffer | null }>(scope, sql, {
    value: keyValue(key),
  });
  return row && { recipient: toRecipient(row), sealedBankAccount: row.bank_account_sealed };
}

/** A recipient as far as splits need to know it. */
export type SplitRecipient = Pick<Recipient, 'id' | 'hash' | 'number' | 'status'>;

/** How recipients are named: each list may be empty. */
export interface RecipientNames {
  readonly ids: readonly string[];
  readonly hashes: readonly string[];
  readonly numbers: readonly number[];
}

/** The ids of the recipients that have one of the values of a parameter. */
const idsBy = (column: 'hash' | 'number', values: string) =>
  `select r.id from ${values}
     cross join lateral (select id from recipients where {scope} and ${column} = value offset 0) r`;

const selectNamed = (lock?: 'for share') =>
  rowsById('select id, hash, number, status from recipients where {scope}', {
    ids: `(select id from ${valuesOf('ids', 'uuid', 'id')}
       union all ${idsBy('hash', valuesOf('hashes', 'text', 'value'))}
       union all ${idsBy('number', valuesOf('numbers', 'bigint', 'value'))}) named`,
    ...(lock && { lock }),
  });

/** The recipients that these names name. */
export async function findRecipientsNamed(
  q: Queryable,
  scope: MerchantScope,
  names: RecipientNames,
): Promise<SplitRecipient[]> {
  return q.rows<SplitRecipient>(scope, selectNamed(), { ...names });
}

/** The same, locked until the transaction ends: their status does not change, and a reset of the sandbox waits. */
export async function lockRecipientsNamed(
  tx: Tx,
  scope: MerchantScope,
  names: RecipientNames,
): Promise<SplitRecipient[]> {
  return tx.rows<SplitRecipient>(scope, selectNamed('for share'), { ...names });
}

function selectBy(key: RecipientKey, columns: string): string {
  return `select ${columns} from recipients where {scope} and ${KEY_COLUMNS[key.by]} = :value`;
}

function keyValue(key: RecipientKey): string {
  return key.by === 'email' ? normalizeEmail(key.value) : key.value;
}

/** The number of the merchant's next recipient. Concurrent callers wait until the transaction ends. */
export async function lockNextRecipientNumber(tx: Tx, scope: MerchantScope): Promise<number> {
  const row = await tx.one<{ next_recipient_number: number }>(
    scope,
    'select next_recipient_number from merchants where {scope} for no key update',
  );
  return row.next_recipient_number;
}

/** Adds a recipient and uses up its number. Returns undefined when its id or its e-mail exists. */
export async function insertRecipient(
  tx: Tx,
  scope: MerchantScope,
  recipient: Recipient,
  bankAccount: StoredBankAccount | null,
): Promise<Recipient | undefined> {
  const row = await tx.maybeOne<RecipientRow>(
    scope,
    `with added as (
       insert into recipients (slot, merchant_id, id, hash, number, external_reference, email, email_key, legal_name,
                               trade_name, status, type, company_type, name, birthday, founding_date, document_type,
                               document_value, phone, address, managing_partners, metadata, bank_account_sealed,
                               bank_ispb, bank_account_last_4, created_at, updated_at)
       values (:slot, :merchant_id, :id, :hash, :number, :external_reference, :email, :email_key, :legal_name,
               :trade_name, :status, :type, :company_type, :name, :birthday, :founding_date, :document_type,
               :document_value, :phone, :address, :managing_partners, :metadata, :bank_account_sealed,
               :bank_ispb, :bank_account_last_4, :created_at, :updated_at)
       on conflict do nothing
       returning ${COLUMNS}
     ), counted as (
       update merchants set next_recipient_number = next_recipient_number + 1
        where {scope} and exists (select from added)
     )
     select ${COLUMNS} from added`,
    {
      ...profileColumns(recipient),
      ...bankColumns(bankAccount),
      hash: recipient.hash,
      number: recipient.number,
      created_at: recipient.createdAt,
    },
  );
  return row && toRecipient(row);
}

/** Writes every field that can change. Throws a unique violation when another recipient has the e-mail. */
export async function updateRecipient(
  tx: Tx,
  scope: MerchantScope,
  recipient: Recipient,
  bankAccount: StoredBankAccount | null,
): Promise<Recipient> {
  const row = await tx.one<RecipientRow>(
    scope,
    `update recipients
        set external_reference = :external_reference, email = :email, email_key = :email_key,
            legal_name = :legal_name, trade_name = :trade_name, status = :status, type = :type,
            company_type = :company_type, name = :name, birthday = :birthday, founding_date = :founding_date,
            document_type = :document_type, document_value = :document_value, phone = :phone, address = :address,
            managing_partners = :managing_partners, metadata = :metadata,
            bank_account_sealed = :bank_account_sealed, bank_ispb = :bank_ispb,
            bank_account_last_4 = :bank_account_last_4, updated_at = :updated_at
      where {scope} and id = :id
      returning ${COLUMNS}`,
    { ...profileColumns(recipient), ...bankColumns(bankAccount) },
  );
  return toRecipient(row);
}

function bankColumns(account: StoredBankAccount | null) {
  return {
    bank_account_sealed: account?.sealed ?? null,
    bank_ispb: account?.bankIspb ?? null,
    bank_account_last_4: account?.accountLast4 ?? null,
  };
}

export interface RecipientFilter {
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly email?: string | undefined;
  readonly document?: string | undefined;
  readonly externalReference?: string | undefined;
}

const RECIPIENTS = defineList<RecipientRow, RecipientFilter>({
  columns: COLUMNS,
  from: 'recipients',
  filters: {
    status: equals('status'),
    type: equals('type'),
    email: equals('email_key'),
    document: equals('document_value'),
    externalReference: equals('external_reference'),
  },
});

/** Recipients of the merchant, newest first. */
export async function listRecipients(
  q: Queryable,
  scope: MerchantScope,
  filter: RecipientFilter,
  page: PageRequest,
): Promise<Page<Recipient>> {
  const email = filter.email === undefined ? undefined : normalizeEmail(filter.email);
  return mapPage(await fetchPage(q, scope, RECIPIENTS, { ...filter, email }, page), toRecipient);
}
