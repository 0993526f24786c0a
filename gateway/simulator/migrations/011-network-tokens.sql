-- A network token is the credential of an authorization of 0, like that of a wallet. Its card can be renewed or replaced.
alter table simulator.payments add column card_good_through text;
