-- A message that is sent again is known by the text that it was sent with, though it was edited since.
alter table chat.message add column sent_digest bytea;
