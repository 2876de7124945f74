-- Whether the host may hold livestreams. Set with every change of the host's account; their livestreams are shown to others
-- only while they may.
alter table livestreams.livestream add column host_teaches boolean not null default true;
