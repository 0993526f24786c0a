-- A party that receives shares of payments. Created and updated by the merchant, never deleted, because earlier splits
-- refer to it.
create table recipients (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  hash text not null,
  number bigint not null check (number > 0),
  external_reference text not null,
  email text not null,
  -- The e-mail address in lower case, for comparisons.
  email_key text not null,
  legal_name text not null,
  trade_name text not null,
  status text not null check (status in ('approved', 'pending', 'blocked', 'reproved')),
  type text not null check (type in ('individual', 'company')),
  company_type text not null,
  name text,
  birthday date,
  founding_date date,
  document_type text not null check (document_type in ('cpf', 'cnpj')),
  document_value text not null,
  phone jsonb not null,
  address jsonb not null,
  managing_partners jsonb not null,
  -- Bank data: sealed by the vault, with the parts that answers show in plain text.
  bank_account_sealed bytea,
  bank_ispb text,
  bank_account_last_4 text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, email_key),
  unique (slot, merchant_id, hash),
  unique (slot, merchant_id, number),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((bank_account_sealed is null) = (bank_ispb is null)),
  check (type <> 'individual' or (name is not null and birthday is not null)),
  check (type <> 'company' or founding_date is not null)
);
create index recipients_newest on recipients (slot, merchant_id, created_at desc, id desc);
-- One for each filter of the list, so that a page takes the same time if few rows match.
create index recipients_by_status on recipients (slot, merchant_id, status, created_at desc, id desc);
create index recipients_by_type on recipients (slot, merchant_id, type, created_at desc, id desc);
create index recipients_by_document on recipients (slot, merchant_id, document_value, created_at desc, id desc);
create index recipients_by_reference
  on recipients (slot, merchant_id, external_reference, created_at desc, id desc);

-- A buyer of the merchant. Created by the merchant, or by an order with a new e-mail address; never deleted.
create table customers (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  hash text not null,
  name text not null,
  email text not null,
  email_key text not null,
  documents jsonb not null default '[]',
  addresses jsonb not null default '[]',
  phone jsonb,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, email_key),
  unique (slot, merchant_id, hash),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
create index customers_newest on customers (slot, merchant_id, created_at desc, id desc);
create index customers_by_document on customers using gin (documents jsonb_path_ops);
