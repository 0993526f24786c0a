-- Set by a job after `expires_at`, for the indexes only: whether a link has expired follows from `expires_at`. The indexes
-- are in a file of their own, because readers wait until this one ends.
alter table payment_links add column is_expired boolean not null default false;
drop index payment_links_expiring;
drop index payment_links_exhausted;
