create schema marketplace;

create table marketplace.product (
  id text primary key,
  name text not null,
  description text not null,
  image_url text,
  product_type text not null check (product_type in ('scanner', 'misc')),
  scanner_id text,
  cta_type text not null check (cta_type in ('form', 'link')),
  cta_url text,
  request_fields jsonb not null,
  is_active boolean not null,
  sort_order integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint only_scanners_have_one check (scanner_id is null or product_type = 'scanner'),
  constraint scanners_have_a_form check (product_type <> 'scanner' or cta_type = 'form'),
  constraint links_ask_nothing check (cta_type <> 'link' or request_fields = '[]')
);
create index product_listing on marketplace.product (sort_order, id) where deleted_at is null;

-- Belongs to the account that submitted it, whatever the e-mail says.
create table marketplace.access_request (
  id text primary key,
  product_id text not null references marketplace.product,
  user_id text not null,
  full_name text not null,
  email text not null,
  charting_id text,
  answers jsonb not null,
  status text not null check (status in ('pending', 'approved', 'denied')),
  submissions integer not null,
  reason text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  searchable text not null generated always as
    (lower(full_name || ' ' || email || ' ' || coalesce(charting_id, ''))) stored,
  constraint access_request_key unique (user_id, product_id, email)
);
create index request_queue on marketplace.access_request (updated_at desc, id desc);
create index request_queue_by_status on marketplace.access_request (status, updated_at desc, id desc);
create index request_queue_by_product on marketplace.access_request (product_id, updated_at desc, id desc);
create index request_by_email on marketplace.access_request (email);
create index request_search on marketplace.access_request using gin (searchable gin_trgm_ops);
