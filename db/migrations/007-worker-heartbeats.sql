-- One row for each worker process, updated every few seconds (wall time). The readiness check reads the newest. Workers
-- delete the rows of processes that ended. This table belongs to no merchant.
create table worker_heartbeats (
  worker_id uuid primary key,
  seen_at timestamptz not null
);
