-- A script can be listed, so it stores all its outcomes, in addition to the remaining ones in script_steps.
alter table simulator.scripts
  add column customer_id text,
  add column card_id text,
  add column outcomes jsonb not null default '[]',
  add column created_at timestamptz not null default now();
create index scripts_newest on simulator.scripts (account, created_at desc, script_id desc);

-- For scripts that were sent before, only the remaining outcomes are known.
update simulator.scripts s
   set (customer_id, card_id, outcomes) = (
         select max(customer_id), max(card_id),
                coalesce(jsonb_agg(jsonb_build_object('operation', operation, 'outcome', outcome) order by position), '[]')
           from simulator.script_steps t where t.account = s.account and t.script_id = s.script_id);
