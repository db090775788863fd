-- Equal content that stands once is found through the index that makes it so. The other index on content is left
-- with what that one leaves out: two of them over the same random hashes were most of what a write wrote.
drop index memory_item_content;
create index memory_item_content on memory_item (scope, hash) where status = 'pending';
drop index proposal_item_content;
create index proposal_item_content on proposal_item (scope, hash) where status = 'active';
drop index evidence_item_content;
create index evidence_item_content on evidence_item (scope, hash) where status = 'archived';
