-- A day of history goes once it is archived: with exactly as many runs as whoever archived it has seen.

-- The lock keeps others from writing to the day (a run of it that is retried leaves it) while it is counted; reading
-- goes on. `drop table` then waits for readers, at most as long as lock_timeout says; the caller comes again.
create function drop_history_day(day date, runs bigint) returns boolean
language plpgsql
set lock_timeout = '2s'
as $$
declare
  begins timestamptz := day::timestamp at time zone 'UTC';
  ends timestamptz := (day + 1)::timestamp at time zone 'UTC';
  part text;
begin
  part := 'history_' || to_char(day, 'YYYYMMDD');
  if to_regclass(part) is not null then
    execute format('lock table %I in share mode', part);
  end if;
  lock table history_rest in share row exclusive mode;
  if (select count(*) from history h where h.finished_at >= begins and h.finished_at < ends) <> runs then
    return false;
  end if;
  foreach part in array array['history_', 'attempts_'] loop
    execute format('drop table if exists %I', part || to_char(day, 'YYYYMMDD'));
  end loop;
  delete from history_rest where finished_at >= begins and finished_at < ends;
  delete from attempts_rest where finished_at >= begins and finished_at < ends;
  return true;
end
$$;
