alter table identity.session
  -- With whom a session opened by single sign-on shares what it may send without a step-up: the session that passed it on, or
  -- the member where the customer directory vouched for them.
  add column allowance_id kernel.object_id;
alter table identity.sent_keys
  -- The session, or that with which it shares its allowance.
  add column allowance_id kernel.object_id;
update identity.sent_keys set allowance_id = session_id;
create index sent_keys_by_allowance on identity.sent_keys (allowance_id, sent_at);
