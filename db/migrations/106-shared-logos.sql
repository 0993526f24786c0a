-- The links of a merchant with the same `logo_url` share one copy of the logo. A row lives as long as a link has its address.
alter table payment_link_logos drop constraint payment_link_logos_slot_merchant_id_link_id_fkey;
delete from payment_link_logos l using payment_link_logos kept
 where kept.slot = l.slot and kept.merchant_id = l.merchant_id and kept.url = l.url
   and (kept.version is not null, kept.link_id) > (l.version is not null, l.link_id);
alter table payment_link_logos drop constraint payment_link_logos_pkey;
alter table payment_link_logos drop column link_id;
alter table payment_link_logos add primary key (slot, merchant_id, url);

-- Why there is no copy, after the last attempt. Logos that failed before are fetched again, because their problem is unknown.
alter table payment_link_logos add column problem_code text;
alter table payment_link_logos add column problem_message text;
update payment_link_logos set due_at = 'epoch', attempts = 0 where due_at is null and version is null;
alter table payment_link_logos add constraint payment_link_logos_problem_check
  check ((problem_code is null) = (problem_message is null));
alter table payment_link_logos add constraint payment_link_logos_outcome_check
  check (num_nonnulls(due_at, version, problem_code) = 1);

create index payment_links_by_logo on payment_links (slot, merchant_id, logo_url) where logo_url is not null;
alter table payment_links add constraint payment_links_logo_fkey
  foreign key (slot, merchant_id, logo_url) references payment_link_logos (slot, merchant_id, url);
