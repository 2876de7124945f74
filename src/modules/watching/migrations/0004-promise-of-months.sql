-- Sessions are divided by month in this file and the next two, as `kernel/0011-months` says. The second one reads the table
-- once, about ten seconds for ten million sessions, while it is read and written; the others take moments.
select kernel.prepare_months('watching.session', 'id');
