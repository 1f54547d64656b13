-- The rows of a database at schema 1, those of 0002 that fit it; history has no partition yet.
-- What they tell is in the README beside.

insert into regions (no, name)
values
  (0, 'default');

insert into tenants (id, name, weight, max_in_flight, created_at)
values
  (1, 'default', 1, 0, '2027-01-15 08:00:00+00'),
  (2, 'acme', 3, 5, '2027-01-15 08:00:00+00');

insert into nodes (incarnation, name, region, started_at, lease_until)
values
  ('fedcba98-7654-3210-0000-000000000001', 'node-1', 0, '2027-01-15 08:00:00+00', '2027-01-16 08:13:00+00');

insert into jobs (id, partition, tenant_id, name, revision, status, effective_from, paused_until, job_type,
                  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros,
                  run_at, start_at, end_at, jitter_micros, calendar, overlap, max_concurrent, misfire,
                  misfire_grace, max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority,
                  live_limit, exclusive, replaces, labels, description, created_at, updated_at)
values
  (65694, 158, 1, 'report', 2, 0, '2027-01-15 08:00:10+00', null, 'reports', 0, '*/5 * * * *', 0,
   'Europe/Berlin', 0, 0, 0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 7, 1, true, false, '{"env": "prod", "team": "data"}',
   'What the board reads.', '2027-01-15 08:00:00+00', '2027-01-15 08:00:10+00'),
  (131132, 60, 1, 'poll', 1, 0, '2027-01-15 08:00:00+00', null, 'default', 1, '', 0, 'UTC', 0, 0, 60000000,
   '1970-01-01 00:00:00+00', null, null, 0, '', 1, 0, 0, 3600000000, 1000, 2, 5000000, 300000000, 300000000,
   0, 2147483647, false, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00'),
  (196826, 218, 1, 'nightly', 2, 1, '2027-01-15 08:00:20+00', '2027-01-17 08:00:00+00', 'default', 0,
   '0 2 * * *', 0, 'UTC', 0, 0, 0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000,
   3, 5000000, 300000000, 300000000, 0, 1, true, false, '{"team": "data"}', '', '2027-01-15 08:00:00+00',
   '2027-01-15 08:00:20+00'),
  (262264, 120, 1, 'once', 2, 3, '2027-01-15 08:00:00+00', null, 'default', 2, '', 0, 'UTC', 0, 0, 0,
   '2027-01-15 08:01:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000,
   0, 1, true, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:03:05+00'),
  (327703, 23, 1, 'gone', 2, 4, '2027-01-15 08:00:20+00', null, 'default', 0, '* * * * *', 0, 'UTC', 0, 0,
   0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000,
   300000000, 0, 1, true, false, '{"team": "data"}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:20+00'),
  (393397, 181, 2, 'hook', 1, 0, '2027-01-15 08:00:00+00', null, 'default', 0, '* * * * *', 0, 'UTC', 0, 0,
   0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000,
   300000000, 0, 1, true, false, '{"team": "web"}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00'),
  (458835, 83, 2, 'line', 1, 0, '2027-01-15 08:00:00+00', null, 'lines', 0, '* * * * *', 0, 'UTC', 0, 0, 0,
   '1970-01-01 00:00:00+00', null, null, 0, '', 3, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000,
   0, 2, true, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00'),
  (524529, 241, 2, 'closed', 1, 0, '2027-01-15 08:00:00+00', null, 'default', 0, '0 9 * * 1-5', 0, 'UTC', 0,
   0, 0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000,
   300000000, 0, 1, true, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00');

insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target, payload,
                           created_at)
values
  (65694, 1, '2027-01-15 08:00:00+00', 0, 'reports',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "Europe/Berlin", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "*/5 * * * *"}',
   '{"kind":"WORKER"}', '{"pages":1}', '2027-01-15 08:00:00+00'),
  (65694, 2, '2027-01-15 08:00:10+00', 0, 'reports',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "Europe/Berlin", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "*/5 * * * *"}',
   '{"kind":"WORKER"}', '{"pages":2}', '2027-01-15 08:00:10+00'),
  (131132, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type": 1, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 60000000, "jitter_micros": 0, "cron_expression": ""}',
   '{"kind":"WORKER"}', '[1,2]', '2027-01-15 08:00:00+00'),
  (196826, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "0 2 * * *"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00'),
  (196826, 2, '2027-01-15 08:00:20+00', 1, 'default',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "0 2 * * *"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:20+00'),
  (262264, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type": 2, "end_at": null, "run_at": "2027-01-15T08:01:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": ""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00'),
  (262264, 2, '2027-01-15 08:00:00+00', 3, 'default',
   '{"type": 2, "end_at": null, "run_at": "2027-01-15T08:01:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": ""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:03:05+00'),
  (327703, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "* * * * *"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00'),
  (327703, 2, '2027-01-15 08:00:20+00', 4, 'default',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "* * * * *"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:20+00'),
  (393397, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "* * * * *"}',
   '{"kind":"HTTP","url":"https://example.org/hook"}', 'null', '2027-01-15 08:00:00+00'),
  (458835, 1, '2027-01-15 08:00:00+00', 0, 'lines',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "* * * * *"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00'),
  (524529, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type": 0, "end_at": null, "run_at": "1970-01-01T00:00:00+00:00", "dialect": 0, "dst_gap": 0, "calendar": "", "start_at": null, "timezone": "UTC", "dst_overlap": 0, "every_micros": 0, "jitter_micros": 0, "cron_expression": "0 9 * * 1-5"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00');

insert into job_changes (partition, version, job_id, changed_at)
values
  (23, 1, 327703, '2027-01-15 08:00:00+00'),
  (23, 2, 327703, '2027-01-15 08:00:20+00'),
  (60, 1, 131132, '2027-01-15 08:00:00+00'),
  (83, 1, 458835, '2027-01-15 08:00:00+00'),
  (120, 1, 262264, '2027-01-15 08:00:00+00'),
  (158, 1, 65694, '2027-01-15 08:00:00+00'),
  (158, 2, 65694, '2027-01-15 08:00:10+00'),
  (181, 1, 393397, '2027-01-15 08:00:00+00'),
  (218, 1, 196826, '2027-01-15 08:00:00+00'),
  (218, 2, 196826, '2027-01-15 08:00:20+00'),
  (241, 1, 524529, '2027-01-15 08:00:00+00');

insert into runs (partition, job_id, run_key, tenant_id, job_type, revision, origin, state, priority,
                  scheduled_for, due_at, decided_at, stands_for, exclusive, attempt, max_attempts,
                  retry_base, retry_cap, timeout, fence, worker, started_at, lease_until, deadline,
                  cancel_requested, epoch, node, payload)
values
  (158, 65694, 1800000600000000, 1, 'reports', 2, 0, 0, 7, '2027-01-15 08:10:00+00',
   '2027-01-15 08:10:00+00', '2027-01-15 08:10:00+00', 1, true, 0, 3, 5000000, 300000000, 300000000, 0, '',
   null, null, null, false, 1, 'fedcba98-7654-3210-0000-000000000001', null),
  (60, 131132, 1800000600000000, 1, 'default', 1, 0, 2, 0, '2027-01-15 08:10:00+00',
   '2027-01-15 08:20:01+00', '2027-01-15 08:10:00+00', 1, false, 1, 2, 5000000, 300000000, 300000000,
   1099511627782, '', null, null, null, false, 1, 'fedcba98-7654-3210-0000-000000000001', null),
  (60, 131132, 1800000660000000, 1, 'default', 1, 0, 1, 0, '2027-01-15 08:11:00+00',
   '2027-01-15 08:11:00+00', '2027-01-15 08:11:00+00', 1, false, 1, 2, 5000000, 300000000, 300000000,
   1099511627783, 'worker-2', '2027-01-15 08:11:01+00', '2027-01-15 08:21:01+00', '2027-01-15 08:16:01+00',
   false, 1, 'fedcba98-7654-3210-0000-000000000001', null),
  (60, 131132, 1800000720000000, 1, 'default', 1, 0, 0, 0, '2027-01-15 08:12:00+00',
   '2027-01-15 08:12:00+00', '2027-01-15 08:12:00+00', 1, false, 0, 2, 5000000, 300000000, 300000000, 0, '',
   null, null, null, false, 1, 'fedcba98-7654-3210-0000-000000000001', null),
  (181, 393397, 1800000720000000, 2, 'default', 1, 0, 0, 0, '2027-01-15 08:12:00+00',
   '2027-01-15 08:12:00+00', '2027-01-15 08:12:00+00', 1, true, 0, 3, 5000000, 300000000, 300000000, 0, '',
   null, null, null, false, 1, 'fedcba98-7654-3210-0000-000000000001', null),
  (83, 458835, 1800000720000000, 2, 'lines', 1, 0, 1, 0, '2027-01-15 08:12:00+00', '2027-01-15 08:12:00+00',
   '2027-01-15 08:12:00+00', 1, true, 1, 3, 5000000, 300000000, 300000000, 1099511627784, 'worker-4',
   '2027-01-15 08:12:00+00', '2027-01-15 08:22:00+00', '2027-01-15 08:17:00+00', false, 1,
   'fedcba98-7654-3210-0000-000000000001', null),
  (83, 458835, 1800000780000000, 2, 'lines', 1, 0, 0, 0, '2027-01-15 08:13:00+00', '2027-01-15 08:13:00+00',
   '2027-01-15 08:13:00+00', 1, true, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, false,
   1, 'fedcba98-7654-3210-0000-000000000001', null);

insert into skips (partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch)
values
  (158, 65694, '2027-01-15 08:05:00+00', '2027-01-15 08:05:00+00', 1, 9, false, '2027-01-15 08:05:00+00', 1),
  (218, 196826, '2027-01-15 08:01:40+00', '2027-01-15 08:08:20+00', 5, 0, true, '2027-01-15 08:10:00+00', 1);

-- All owned by the node; where jobs are, versions and cursors have moved.
insert into partitions (id, owner, epoch, decided_through, jobs_version)
select id, 'fedcba98-7654-3210-0000-000000000001', 1, '2027-01-15 08:00:00+00', 0
from generate_series(0, 255) as id;
update partitions set decided_through = '2027-01-15 08:00:00+00', jobs_version = 2 where id = 23;
update partitions set decided_through = '2027-01-15 08:12:00+00', jobs_version = 1 where id = 60;
update partitions set decided_through = '2027-01-15 08:13:00+00', jobs_version = 1 where id = 83;
update partitions set decided_through = '2027-01-15 08:01:00+00', jobs_version = 1 where id = 120;
update partitions set decided_through = '2027-01-15 08:10:00+00', jobs_version = 2 where id = 158;
update partitions set decided_through = '2027-01-15 08:12:00+00', jobs_version = 1 where id = 181;
update partitions set decided_through = '2027-01-15 08:10:00+00', jobs_version = 2 where id = 218;
update partitions set decided_through = '2027-01-15 08:00:00+00', jobs_version = 1 where id = 241;

select setval('job_serials', 8);
select setval('fences', 8);
select setval('tenants_id_seq', 2);
