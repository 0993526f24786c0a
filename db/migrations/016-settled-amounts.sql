-- What an operation or a refund is about is written once. The role that runs the migrations gives up the right to change
-- it, and keeps the right to settle it, as it does for events (014). A column that is added later and is to change needs a
-- grant of its own.
revoke update on payment_operations from current_user;
grant update (state, refusal_code, attempts, check_at, settled_at) on payment_operations to current_user;
revoke update on refunds from current_user;
grant update (status, denial_code, denial_message, updated_at) on refunds to current_user;

-- Only a denied refund has a denial.
alter table refunds drop constraint refunds_denied_has_reason;
alter table refunds add constraint refunds_denied_has_reason check (
  num_nonnulls(denial_code, denial_message) = case when status = 'denied' then 2 else 0 end);
