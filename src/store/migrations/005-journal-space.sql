-- Whose work an entry was: one call of a verb may write to a project's file and to the person's own, and only the
-- project that made it can see both halves. Null in entries that are older than this column.
alter table journal add column space text;
