-- Whether somebody has read a mail to the address at some time; a verified address counts as well, also where the mark was
-- cleared later. The first to prove it takes the account over from whoever signed up with an address that was not theirs.
alter table identity.user add column email_proven boolean not null default false;
