-- The environment of the installation (ENVIRONMENT), so that no process of another one works on its database; one row.
create table kernel.environment (
  only_one boolean primary key default true check (only_one),
  name text not null
);
