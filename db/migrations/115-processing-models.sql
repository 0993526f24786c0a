-- How the card of a subscription is used (`processing_model` of the request), for the acquirer. Null if it was not sent.
alter table subscriptions add column processing_model text;
