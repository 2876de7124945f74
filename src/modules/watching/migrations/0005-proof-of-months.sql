-- concurrently
alter table watching.session validate constraint before_months;
