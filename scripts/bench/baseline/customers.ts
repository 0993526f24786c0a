import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { isCountry } from '../../../domain/countries.ts';
import { isValidCnpj, isValidCpf } from '../../../domain/documents.ts';
import { publicHash, uuidV7 } from '../../../domain/identifiers.ts';
import { localTimestamp } from '../../../domain/local-time.ts';
import type { Caller } from './caller.ts';
import { inTransaction } from './transaction.ts';

const COLUMNS = 'id, hash, name, email, documents, addresses, phone, metadata, created_at, updated_at';

export const FIND_CUSTOMER = {
  name: 'find_customer',
  text: `select ${COLUMNS} from customers where slot = $1 and merchant_id = $2 and id = $3`,
};

const INSERT_CUSTOMER = {
  name: 'insert_customer',
  text: `insert into customers (slot, merchant_id, id, hash, name, email, email_key, documents, addresses, phone,
                                metadata, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict do nothing
         returning ${COLUMNS}`,
};

interface CustomerBody {
  readonly name: string;
  readonly email: string;
  readonly documents?: readonly { type: string; value: string }[];
  readonly addresses?: readonly AddressBody[];
  readonly phone?: object;
  readonly metadata?: object;
}

interface AddressBody {
  readonly line_1: string;
  readonly line_2?: string;
  readonly postal_code: string;
  readonly country: string;
  readonly [field: string]: unknown;
}

export async function getCustomer(pool: Pool, { slot, merchant_id }: Caller, id: string) {
  const { rows } = await pool.query({ ...FIND_CUSTOMER, values: [slot, merchant_id, id] });
  if (rows.length === 0) throw Object.assign(new Error('Customer not found.'), { statusCode: 404 });
  return toJson(rows[0]);
}

export async function createCustomer(pool: Pool, { slot, merchant_id }: Caller, body: CustomerBody) {
  const { documents = [], addresses = [] } = body;
  for (const { type, value } of documents) {
    if ((type === 'cpf' && !isValidCpf(value)) || (type === 'cnpj' && !isValidCnpj(value))) throw invalid();
  }
  if (addresses.some(({ country }) => !isCountry(country.toUpperCase()))) throw invalid();
  const at = new Date();
  const values = [
    slot,
    merchant_id,
    uuidV7(at.getTime(), randomBytes),
    publicHash(slot, randomBytes),
    body.name,
    body.email,
    body.email.toLowerCase(),
    JSON.stringify(documents),
    JSON.stringify(addresses.map(toStored)),
    body.phone === undefined ? null : JSON.stringify(body.phone),
    JSON.stringify(body.metadata ?? {}),
    at,
    at,
  ];
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query({ ...INSERT_CUSTOMER, values });
    if (rows.length === 0) throw invalid();
    return toJson(rows[0]);
  });
}

function invalid(): Error {
  return Object.assign(new Error('The given data was invalid.'), { statusCode: 422 });
}

interface StoredAddress {
  readonly line1: string;
  readonly line2?: string;
  readonly postalCode: string;
  readonly [field: string]: unknown;
}

function toStored({ line_1, line_2, postal_code, country, ...rest }: AddressBody) {
  return { ...rest, line1: line_1, line2: line_2, postalCode: postal_code, country: country.toUpperCase() };
}

function toJson(row: { addresses: StoredAddress[]; created_at: Date; updated_at: Date }) {
  return {
    ...row,
    addresses: row.addresses.map(({ line1, line2, postalCode, ...rest }) => ({
      ...rest,
      line_1: line1,
      line_2: line2,
      postal_code: postalCode,
    })),
    created_at: localTimestamp(row.created_at),
    updated_at: localTimestamp(row.updated_at),
  };
}
