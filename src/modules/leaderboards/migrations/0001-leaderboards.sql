-- Boards as they were built, for two minutes and for all processes; who builds one is known by its row. Nothing is lost
-- with them, hence unlogged.

create schema leaderboards;

create unlogged table leaderboards.board (
  -- What was asked for.
  key text collate "C" primary key,
  payload jsonb,
  -- Until when it may be shown.
  fresh_until timestamptz,
  -- Until when somebody is trusted to be building it.
  building_until timestamptz
);
create index board_by_age on leaderboards.board (fresh_until);
