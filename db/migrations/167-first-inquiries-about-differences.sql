-- What waits for something else, and when inquiries end, is counted from the first inquiry, not from the comparison: no worker may
-- have run since then. Wall time; null until a worker has claimed the discrepancy.
alter table discrepancies add column first_inquired_at timestamptz;
