-- Since when no delivery of a failing endpoint is pending. This time does not count towards its disabling, and
-- `failing_since` is kept meanwhile.
alter table webhook_endpoints add column idle_since timestamptz;
