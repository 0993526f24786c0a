-- Evidence against a dispute, as it is sent to the acquirer. Inserted as `pending` before it is sent; ends as `accepted`, when
-- the acquirer has it and its text is added to the dispute, or as `refused`. Deleted by a reset of the sandbox only.
create table dispute_evidence (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  reference text not null,
  state text not null check (state in ('pending', 'accepted', 'refused')),
  text text not null,
  -- How often the acquirer was asked for the outcome.
  attempts integer not null default 0,
  -- When it is asked again (wall time).
  check_at timestamptz,
  -- By the merchant's clock.
  created_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, reference),
  foreign key (slot, merchant_id, dispute_id) references disputes (slot, merchant_id, id),
  check ((state = 'pending') = (check_at is not null))
);
create index dispute_evidence_of_dispute on dispute_evidence (slot, merchant_id, dispute_id);
create index dispute_evidence_due on dispute_evidence (slot, check_at) where state = 'pending';
create index dispute_evidence_slots_due on dispute_evidence (check_at, slot) where state = 'pending';
