-- By which rules the account was erased, if it was: later rules may cover more, and are then applied to it as well.
alter table identity.user add column erased_by integer not null default 0;
