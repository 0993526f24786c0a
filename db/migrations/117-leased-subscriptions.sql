-- Until when the due step of a subscription is left to the worker that has claimed it (wall time). Null if no worker has.
alter table subscriptions add column leased_until timestamptz;
