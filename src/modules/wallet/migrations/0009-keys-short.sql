-- Keys of a reversed purchase that the wallet no longer had. They are left to operators, and not taken again later.
alter table wallet.purchase add column short bigint not null default 0;
