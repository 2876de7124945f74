-- When a room ceased to be public, so that what everybody could read there until then can still be reported.
alter table chat.room add column public_until timestamptz;
