-- Holds nothing: it is locked, by every writer together or by one that goes first, which needs the right to write it.
create table right_of_way (one integer);
