-- The acquirer's id of a dispute, by which the reports of two disputes of a payment are told apart. Null if it names none.
alter table disputes add column acquirer_reference text;
