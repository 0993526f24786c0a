-- The due date of the latest charge by a mandate: the next one is due later. Null before the first one, and for subscriptions that
-- were not charged since this migration.
alter table subscriptions add column last_mandate_due_on date;
