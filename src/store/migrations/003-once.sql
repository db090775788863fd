-- Said once: equal memories, proposals and evidence stand once in a scope, whoever writes them. Decisions may agree
-- on a text for two subjects. Files may have equal content, but a path stands for one file.
create unique index memory_item_once on memory_item (scope, hash) where status = 'active';
create unique index proposal_item_once on proposal_item (scope, hash) where status = 'pending';
create unique index evidence_item_once on evidence_item (scope, hash) where status = 'active';
create unique index document_item_once on document_item (path) where status = 'active';
create unique index code_item_once on code_item (path) where status = 'active';
