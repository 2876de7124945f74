-- Addresses that refuse our mail.

create schema mail;

create table mail.suppression (
  id kernel.object_id primary key,
  -- In its canonical form.
  email text collate "C" not null unique,
  kind text not null check (kind in ('bounce', 'complaint')),
  -- What the mail service said.
  reason text,
  reported_at timestamptz not null,
  created_at timestamptz not null
);
