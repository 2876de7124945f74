-- Whether another member's grant shares a handle is read from the entries.
drop index indicators.access_by_handle;
