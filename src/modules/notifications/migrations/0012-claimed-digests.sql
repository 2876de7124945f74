-- Until when a run of a member's digest may send it, so that no other run sends the same meanwhile.
alter table notifications.delivery add column claimed_until timestamptz;
