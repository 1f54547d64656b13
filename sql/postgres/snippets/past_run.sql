-- One run that is over, found by its key: the key of a tick is its time.
select x.* from history x
where x.partition = ({job} & 65535)::integer and x.job_id = {job} and x.run_key = {key}
  and x.origin <> :by_schedule and x.finished_at > {since}
union all
select x.* from history x
where x.partition = ({job} & 65535)::integer and x.job_id = {job} and x.run_key = {key}
  and x.scheduled_for = timestamptz 'epoch'
    + least(greatest({key}, 0), 9000000000000000) * interval '1 microsecond'
  and x.origin = :by_schedule and x.finished_at > {since}
limit 1
