alter table identity.user
  -- Whether there is an authenticator app or a passkey: what each request asks, of the rows that tell.
  add column has_factor boolean not null default false;
alter table identity.session
  -- password, passkey or sso.
  add column method text not null default 'password',
  -- Until when the session may do what needs a step-up.
  add column elevated_until timestamptz;

-- Keys that sessions of members with a second factor have sent, for the limit of an hour.
create table identity.sent_keys (
  id bigint generated always as identity primary key,
  session_id kernel.object_id not null references identity.session on delete cascade,
  keys bigint not null,
  sent_at timestamptz not null
);
create index sent_keys_by_session on identity.sent_keys (session_id, sent_at);
create index sent_keys_by_age on identity.sent_keys (sent_at);
