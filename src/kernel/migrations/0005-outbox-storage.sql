-- What is deleted within moments is not worth compressing.
alter table kernel.outbox alter column events set storage external;
