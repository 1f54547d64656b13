-- An alert that began while its job or rule was quiet: nobody is told before that is over.
alter table alerts add column quiet boolean not null default false;

-- A node's clock minus the database's, in microseconds, as the node last said. Null: it has not.
alter table nodes add column clock_offset bigint;

-- Jobs without ticks, because whoever owns their partition cannot evaluate their schedules. Only the
-- owner adds and removes them, so they stay while a partition changes hands.
create table broken_schedules (
  job_id bigint primary key,
  reason text not null,
  since  timestamptz not null
);
