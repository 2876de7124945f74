-- The best matches without ranking all of them: each class of matches in the order of prominence.

drop index search.document_prominence;
create index document_prominence on search.document (prominence desc, id desc, type);
drop index search.document_of_type;
create index document_of_type on search.document (type, prominence desc, id desc);
-- The very title, and titles that begin so.
create index document_title on search.document (title_key, prominence desc);
-- Names by prominence, for beginnings that many of them have.
create index document_names on search.document (prominence desc) where has_name;
