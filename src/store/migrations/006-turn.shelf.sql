-- Passages of a conversation: who said it, in which part, and when.
alter table {shelf}_passage add column speaker text;
alter table {shelf}_passage add column role text;
alter table {shelf}_passage add column said_at integer;
create index {shelf}_passage_speaker on {shelf}_passage (speaker collate nocase) where speaker is not null;
