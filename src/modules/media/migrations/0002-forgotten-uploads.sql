-- Every ten minutes uploads are forgotten that ended long ago.
create index upload_to_forget on media.upload (expires_at) where state <> 'open';
