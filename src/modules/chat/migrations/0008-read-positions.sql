-- Up to where a member has read: the number of a message in its room. Null for who joined before it was kept, until they
-- read something: nothing counts as unread then.
alter table chat.member add column read_seq bigint;
