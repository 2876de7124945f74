-- Whose answer it is, so that it is erased with them. Generated, since the former program writes answers during a roll-out.
alter table indicators.webhook_event
  add column user_id text generated always as (answer ->> 'userId') stored;
create index webhook_event_by_member on indicators.webhook_event (user_id);
