-- The subject and the amount of an operation or a refund never change. The role that runs the migrations gives up the right
-- to update them, as for events (014), and keeps the right to update the columns of the outcome. A column that is added
-- later and can change needs a grant.
revoke update on payment_operations from current_user;
grant update (state, refusal_code, attempts, check_at, settled_at) on payment_operations to current_user;
revoke update on refunds from current_user;
grant update (status, denial_code, denial_message, updated_at) on refunds to current_user;

-- Only a denied refund has a denial.
alter table refunds drop constraint refunds_denied_has_reason;
alter table refunds add constraint refunds_denied_has_reason check (
  num_nonnulls(denial_code, denial_message) = case when status = 'denied' then 2 else 0 end);
