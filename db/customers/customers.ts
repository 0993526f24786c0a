import type { Address, Phone } from '../../domain/contact.ts';
import type { Customer, CustomerDocument } from '../../domain/customers/customer.ts';
import { normalizeEmail } from '../../domain/email.ts';
import type { Metadata } from '../../domain/metadata.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk } from '../engine/bulk.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { rowsById } from '../engine/rows-by-id.ts';

interface CustomerRow {
  id: string;
  hash: string;
  name: string;
  email: string;
  documents: CustomerDocument[];
  addresses: Address[];
  phone: Phone | null;
  metadata: Metadata;
  typed_by_buyer: boolean;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'id, hash, name, email, documents, addresses, phone, metadata, typed_by_buyer, created_at, updated_at';

/** Identifies one customer of a merchant. */
export type CustomerKey =
  | { readonly by: 'id' | 'hash'; readonly value: string }
  /** Compared without case. */
  | { readonly by: 'email'; readonly value: string };

const KEY_COLUMNS = { id: 'id', hash: 'hash', email: 'email_key' } as const;

/** The customer with this key; undefined when the merchant has none. */
export async function findCustomer(
  q: Queryable,
  scope: MerchantScope,
  key: CustomerKey,
): Promise<Customer | undefined> {
  if (key.by === 'id') return findById(q, scope, key.value);
  const row = await q.maybeOne<CustomerRow>(scope, selectBy(key), { value: keyValue(key) });
  return row && toCustomer(row);
}

const findById = bulk(async (q: Queryable, scope, ids: readonly string[]) => {
  const isOne = ids.length === 1;
  const rows = await q.rows<CustomerRow>(
    scope,
    isOne
      ? selectBy({ by: 'id', value: ids[0]! })
      : rowsById(`select ${COLUMNS} from customers where {scope}`),
    isOne ? { value: ids[0] } : { ids },
  );
  const found = new Map(rows.map((row) => [row.id, toCustomer(row)]));
  return ids.map((id) => found.get(id));
});

/** The same customer, locked until the transaction ends. */
export async function lockCustomer(
  tx: Tx,
  scope: MerchantScope,
  key: CustomerKey,
): Promise<Customer | undefined> {
  const row = await tx.maybeOne<CustomerRow>(scope, `${selectBy(key)} for update`, { value: keyValue(key) });
  return row && toCustomer(row);
}

function selectBy(key: CustomerKey): string {
  return `select ${COLUMNS} from customers where {scope} and ${KEY_COLUMNS[key.by]} = :value`;
}

function keyValue(key: CustomerKey): string {
  return key.by === 'email' ? normalizeEmail(key.value) : key.value;
}

/** Adds a customer. Returns undefined when its id or its e-mail exists. */
export async function insertCustomer(
  tx: Tx,
  scope: MerchantScope,
  customer: Customer,
): Promise<Customer | undefined> {
  const row = await tx.maybeOne<CustomerRow>(
    scope,
    `insert into customers (slot, merchant_id, id, hash, name, email, email_key, documents, addresses, phone,
                            metadata, typed_by_buyer, created_at, updated_at)
     values (:slot, :merchant_id, :id, :hash, :name, :email, :email_key, :documents, :addresses, :phone,
             :metadata, :typed_by_buyer, :created_at, :updated_at)
     on conflict do nothing
     returning ${COLUMNS}`,
    { ...columnValues(customer), hash: customer.hash, created_at: customer.createdAt },
  );
  return row && toCustomer(row);
}

/** Writes every field that can change. Throws a unique violation when another customer has the e-mail. */
export async function updateCustomer(tx: Tx, scope: MerchantScope, customer: Customer): Promise<Customer> {
  const row = await tx.one<CustomerRow>(
    scope,
    `update customers
        set name = :name, email = :email, email_key = :email_key, documents = :documents, addresses = :addresses,
            phone = :phone, metadata = :metadata, typed_by_buyer = :typed_by_buyer, updated_at = :updated_at
      where {scope} and id = :id
      returning ${COLUMNS}`,
    columnValues(customer),
  );
  return toCustomer(row);
}

export interface CustomerFilter {
  readonly email?: string | undefined;
  /** Value of a document of any type. */
  readonly document?: string | undefined;
}

const EMAIL = equals('email_key');

const CUSTOMERS = defineList<CustomerRow, { readonly email: string | undefined }>({
  columns: COLUMNS,
  from: 'customers',
  filters: { email: EMAIL },
});

/**
 * The few customers with a document, found first by the index on documents. Without `materialized`, the planner may
 * instead read the merchant's customers from the newest on, and read all of them if few have the document.
 */
const CUSTOMERS_WITH_DOCUMENT = defineList<
  CustomerRow,
  { readonly email: string | undefined; readonly document: string }
>({
  columns: COLUMNS,
  from: `(with found as materialized (
      select slot, merchant_id, email_key, ${COLUMNS} from customers where {scope} and documents @> :by_document
    ) select * from found) as customers`,
  filters: { email: EMAIL, document: () => {} },
});

/** Customers of the merchant, newest first. */
export async function listCustomers(
  q: Queryable,
  scope: MerchantScope,
  filter: CustomerFilter,
  page: PageRequest,
): Promise<Page<Customer>> {
  const email = filter.email === undefined ? undefined : normalizeEmail(filter.email);
  if (filter.document === undefined) {
    return mapPage(await fetchPage(q, scope, CUSTOMERS, { email }, page), toCustomer);
  }
  const document = JSON.stringify([{ value: filter.document }]);
  return mapPage(await fetchPage(q, scope, CUSTOMERS_WITH_DOCUMENT, { email, document }, page), toCustomer);
}

function columnValues(customer: Customer) {
  return {
    id: customer.id,
    name: customer.name,
    email: customer.email,
    email_key: normalizeEmail(customer.email),
    documents: JSON.stringify(customer.documents),
    addresses: JSON.stringify(customer.addresses),
    phone: customer.phone === null ? null : JSON.stringify(customer.phone),
    metadata: JSON.stringify(customer.metadata),
    typed_by_buyer: customer.isTypedByBuyer,
    updated_at: customer.updatedAt,
  };
}

function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    email: row.email,
    documents: row.documents,
    addresses: row.addresses,
    phone: row.phone,
    metadata: row.metadata,
    isTypedByBuyer: row.typed_by_buyer,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
