-- What of a decision tells whether and when it holds: the kernel is looked through without reading what it says.
create index decision_item_outline on decision_item (
  id, title, status, created_at, valid_from, valid_until, superseded_by, expires_at);
-- Few decisions name others that they relate to; who asks which name a certain one reads only those.
create index decision_item_relating on decision_item (id) where json_array_length(details, '$.relates') > 0;
