-- When the means of payment of a subscription, such as its card, could first not be read for the step that is due (merchant's
-- time). Null if it could be read, and again after each change of the subscription.
alter table subscriptions add column means_unread_since timestamptz;
