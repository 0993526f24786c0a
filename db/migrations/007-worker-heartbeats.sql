-- One row per running worker process, rewritten every few seconds (wall time); readiness asks for the newest. Rows of
-- processes that ended are deleted by the clean-up. This table belongs to no merchant.
create table worker_heartbeats (
  worker_id uuid primary key,
  seen_at timestamptz not null
);
