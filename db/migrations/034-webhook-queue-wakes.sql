-- Whether the queue was woken since its last lease began. The end of a lease deletes an empty queue only if it was not.
alter table webhook_queues add column woken boolean not null default false;
