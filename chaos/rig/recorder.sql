-- What the tables alone would not show afterwards: every move of a cursor, every grant, every end. Rows of one partition
-- or one job are written under the lock of that row, so their numbers are in the order of their commits.
create schema chaos;

-- What the rig writes to see whether a server takes writes.
create table chaos.probes (at timestamptz default clock_timestamp());

create table chaos.cursors (no bigserial primary key, partition integer, epoch bigint, owner uuid,
  through_before timestamptz, through timestamptz);
create function chaos.note_cursor() returns trigger language plpgsql as $$
begin
  insert into chaos.cursors (partition, epoch, owner, through_before, through)
  values (new.id, new.epoch, new.owner, old.decided_through, new.decided_through);
  return null;
end $$;
create trigger chaos_note after update on partitions for each row execute function chaos.note_cursor();

create table chaos.grants (no bigserial primary key, job_id bigint, run_key bigint, fence bigint, attempt integer,
  worker text, at timestamptz);
create function chaos.note_grant() returns trigger language plpgsql as $$
begin
  insert into chaos.grants (job_id, run_key, fence, attempt, worker, at)
  values (new.job_id, new.run_key, new.fence, new.attempt, new.worker, clock_timestamp());
  return null;
end $$;
create trigger chaos_note after update on runs for each row when (new.fence <> old.fence)
  execute function chaos.note_grant();
create trigger chaos_note_new after insert on runs for each row when (new.fence <> 0)
  execute function chaos.note_grant();

create table chaos.ends (no bigserial primary key, job_id bigint, run_key bigint, state smallint, fence bigint,
  at timestamptz);
create function chaos.note_end() returns trigger language plpgsql as $$
begin
  insert into chaos.ends (job_id, run_key, state, fence, at)
  values (new.job_id, new.run_key, new.state, new.fence, clock_timestamp());
  return null;
end $$;
create trigger chaos_note after insert on history for each row execute function chaos.note_end();
