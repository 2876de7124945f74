-- An installation of a former release that has API keys of production is one of production, whichever process starts first.
insert into kernel.environment (name)
  select 'production' where exists (select from gateway.api_key where environment = 'production')
  on conflict do nothing;
