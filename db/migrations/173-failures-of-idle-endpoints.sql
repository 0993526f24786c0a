-- The time without a pending delivery does not count towards the disabling of an endpoint. It counted before, so the next
-- failed attempt could disable an endpoint that had failed weeks ago. One that still fails counts from its next attempt on.
update webhook_endpoints set failing_since = null where status = 'active' and failing_since is not null;
