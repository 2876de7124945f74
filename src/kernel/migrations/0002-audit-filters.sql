create index audit_entry_by_target on kernel.audit_entry (target, created_at desc, id desc);
create index audit_entry_by_actor on kernel.audit_entry (actor, created_at desc, id desc);
create index audit_entry_by_action on kernel.audit_entry (action, created_at desc, id desc);
