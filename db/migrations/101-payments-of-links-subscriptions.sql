-- A payment of a subscription names the payment link at which its buyer subscribed, and the offer of its present plan.
alter table payments drop constraint payments_one_origin;
alter table payments add constraint payments_one_origin
  check (subscription_id is not null or num_nonnulls(payment_link_id, offer_id) <= 1);
