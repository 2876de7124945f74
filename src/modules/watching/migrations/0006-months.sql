-- Sums of sessions are kept apart, and outlive them.
select kernel.divide_by_month('watching.session');
