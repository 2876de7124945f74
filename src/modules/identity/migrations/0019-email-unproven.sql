-- Whether whoever signed up has yet to show that they read the mail of the address. The first to show it takes the account
-- over from somebody who signed up with an address that is not theirs. Accounts from before, and those that administrators
-- made, are taken for what they are.
alter table identity.user add column email_unproven boolean not null default false;
