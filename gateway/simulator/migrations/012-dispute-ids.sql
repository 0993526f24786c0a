-- A payment whose dispute was won can be disputed again. The id tells the notifications of the two apart.
alter table simulator.payments add column dispute_id text;
