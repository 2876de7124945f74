-- What keys are derived from that must survive a change of SECRET_KEY: the one with which the database was set up, sealed
-- with the present one.
create table kernel.lasting_key (
  only_one boolean primary key default true check (only_one),
  sealed bytea not null
);
