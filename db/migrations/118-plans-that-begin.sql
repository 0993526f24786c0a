-- The step `begin_plan`: on the billing date of a cycle that was opened before, the plan that was chosen for it replaces the present
-- one. `open_cycle` has it as `plan` until then.
alter table subscriptions drop constraint subscriptions_due_step_check;
alter table subscriptions add constraint subscriptions_due_step_check check (due_step in (
  'open_cycle', 'begin_plan', 'attempt', 'send', 'give_up', 'complete', 'end', 'expire_mandate'));
