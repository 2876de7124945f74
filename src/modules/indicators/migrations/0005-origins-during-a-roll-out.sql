-- The previous program, which still runs during a roll-out, writes entries without an origin: nobody has looked yet.
alter table indicators.entry alter column origin set default 'unknown';
