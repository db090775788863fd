-- Change sets are looked up by their calls. Ids of calls sort by time, so this index grows at its end and costs a write
-- next to nothing. A handle is found by scanning it, which is quicker than scanning the journal.
create index journal_call on journal (call);
