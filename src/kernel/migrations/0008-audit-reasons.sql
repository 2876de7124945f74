-- Why an administrator did something, what the object was called then, and the values of its fields before and after.
alter table kernel.audit_entry add column reason text, add column target_name text, add column changes jsonb;
