-- What the moderator who resolved a report wrote about it, for other moderators.
alter table moderation.report add column note text;
