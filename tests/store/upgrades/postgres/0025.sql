-- The rows of a database at schema 25, those of 0024 with what the new store writes beside them.
-- What they tell is in the README beside.

select make_history_days('2027-01-15 08:00:00+00', 7);

insert into regions (no, name)
values
  (0, 'default');

insert into tenants (id, name, weight, max_in_flight, created_at, max_jobs, max_requests)
values
  (1, 'default', 1, 0, '2027-01-15 08:00:00+00', 0, 0),
  (2, 'acme', 3, 5, '2027-01-15 08:00:00+00', 500, 0);

insert into nodes (incarnation, name, region, started_at, lease_until)
values
  ('fedcba98-7654-3210-0000-000000000001', 'node-1', 0, '2027-01-15 08:00:00+00', '2027-01-16 08:13:00+00');

insert into calendars (tenant_id, name, rules, revision, followed, updated_at)
values
  (2, 'holidays', '2027-12-25
2028-01-01', 1, 1, '2027-01-15 08:00:00+00');

insert into api_keys (id, tenant_id, name, hash, scope, created_at, expires_at, revoked_at, created_by)
values
  (1, 2, 'deploy', '\x0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', 1,
   '2027-01-15 08:00:00+00', '2028-01-15 08:00:00+00', null, 'ann'),
  (2, 2, 'old', '\x65666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f8081828384', 0,
   '2027-01-15 08:00:00+00', null, '2027-01-15 08:00:00+00', 'ann');

insert into jobs (id, partition, tenant_id, name, revision, status, effective_from, paused_until, job_type,
                  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros,
                  run_at, start_at, end_at, jitter_micros, calendar, overlap, max_concurrent, misfire,
                  misfire_grace, max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority,
                  live_limit, exclusive, replaces, labels, description, created_at, updated_at, paused_by,
                  pause_note, calendar_rules, calendar_revision, queue,
                  terms)
values
  (65694, 158, 1, 'report', 2, 0, '2027-01-15 08:00:10+00', null, 'reports', 0, '*/5 * * * *', 0,
   'Europe/Berlin', 0, 0, 0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 7, 1, true, false, '{"env": "prod", "team": "data"}',
   'What the board reads.', '2027-01-15 08:00:00+00', '2027-01-15 08:00:10+00', '', '', '', 0, null,
   'c8945e18-6287-b075-5f2a-0ec20041b94b'),
  (131132, 60, 1, 'poll', 1, 0, '2027-01-15 08:00:00+00', null, 'default', 1, '', 0, 'UTC', 0, 0, 60000000,
   '1970-01-01 00:00:00+00', null, null, 0, '', 1, 0, 0, 3600000000, 1000, 2, 5000000, 300000000, 300000000,
   0, 2147483647, false, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00', '', '', '', 0,
   null,
   '22861507-fa38-86ac-23b6-fe344709f043'),
  (196826, 218, 1, 'nightly', 2, 1, '2027-01-15 08:00:20+00', '2027-01-17 08:00:00+00', 'default', 0,
   '0 2 * * *', 0, 'UTC', 0, 0, 0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000,
   3, 5000000, 300000000, 300000000, 0, 1, true, false, '{"team": "data"}', '', '2027-01-15 08:00:00+00',
   '2027-01-15 08:00:20+00', 'ann', 'until the move is over', '', 0, null,
   '97752d8b-9f15-5bbc-da1b-930012aa2113'),
  (262264, 120, 1, 'once', 1, 3, '2027-01-15 08:00:00+00', null, 'default', 2, '', 0, 'UTC', 0, 0, 0,
   '2027-01-15 08:01:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000,
   0, 1, true, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:03:05+00', '', '', '', 0, null,
   '6f6e6365-2061-7420-0006-65172c2c0700'),
  (327703, 23, 1, 'gone', 2, 4, '2027-01-15 08:00:20+00', null, 'default', 0, '* * * * *', 0, 'UTC', 0, 0,
   0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000,
   300000000, 0, 1, true, false, '{"team": "data"}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:20+00',
   '', '', '', 0, null,
   '772f1c27-3fe6-7d90-75bb-19b571eafd5a'),
  (393397, 181, 2, 'hook', 1, 0, '2027-01-15 08:00:00+00', null, 'default', 0, '* * * * *', 0, 'UTC', 0, 0,
   0, '1970-01-01 00:00:00+00', null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000,
   300000000, 0, 1, true, false, '{"team": "web"}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00',
   '', '', '', 0, 'HTTP *',
   '772f1c27-3fe6-7d90-75bb-19b571eafd5a'),
  (458835, 83, 2, 'line', 1, 0, '2027-01-15 08:00:00+00', null, 'lines', 0, '* * * * *', 0, 'UTC', 0, 0, 0,
   '1970-01-01 00:00:00+00', null, null, 0, '', 3, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000,
   0, 2, true, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00', '', '', '', 0, null,
   '529e5c41-b8da-af89-9d44-8c526ac16a89'),
  (524529, 241, 2, 'closed', 1, 0, '2027-01-15 08:00:00+00', null, 'default', 0, '0 9 * * 1-5', 0, 'UTC', 0,
   0, 0, '1970-01-01 00:00:00+00', null, null, 0, 'holidays', 0, 0, 0, 3600000000, 1000, 3, 5000000,
   300000000, 300000000, 0, 1, true, false, '{}', '', '2027-01-15 08:00:00+00', '2027-01-15 08:00:00+00',
   '', '', '2027-12-25
2028-01-01', 1, null,
   null);

insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target, payload,
                           created_at, name, paused_until, calendar_rules, overlap, max_concurrent, misfire,
                           misfire_grace, max_missed_firings, max_attempts, retry_base, retry_cap, timeout,
                           priority)
values
  (65694, 1, '2027-01-15 08:00:00+00', 0, 'reports',
   '{"type":0,"cron_expression":"*/5 * * * *","dialect":0,"timezone":"Europe/Berlin","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', '{"pages":1}', '2027-01-15 08:00:00+00', 'report', null, '', 0, 0, 0, 3600000000,
   1000, 3, 5000000, 300000000, 300000000, 7),
  (65694, 2, '2027-01-15 08:00:10+00', 0, 'reports',
   '{"type" : 0, "cron_expression" : "*/5 * * * *", "dialect" : 0, "timezone" : "Europe/Berlin", "dst_gap" : 0, "dst_overlap" : 0, "every_micros" : 0, "run_at" : "1970-01-01T00:00:00+00:00", "start_at" : null, "end_at" : null, "jitter_micros" : 0, "calendar" : ""}',
   '{"kind":"WORKER"}', '{"pages":2}', '2027-01-15 08:00:10+00', 'report', null, '', 0, 0, 0, 3600000000,
   1000, 3, 5000000, 300000000, 300000000, 7),
  (131132, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type":1,"cron_expression":"","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":60000000,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', '[1,2]', '2027-01-15 08:00:00+00', 'poll', null, '', 1, 0, 0, 3600000000, 1000, 2,
   5000000, 300000000, 300000000, 0),
  (196826, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type":0,"cron_expression":"0 2 * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00', 'nightly', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 0),
  (196826, 2, '2027-01-15 08:00:20+00', 1, 'default',
   '{"type" : 0, "cron_expression" : "0 2 * * *", "dialect" : 0, "timezone" : "UTC", "dst_gap" : 0, "dst_overlap" : 0, "every_micros" : 0, "run_at" : "1970-01-01T00:00:00+00:00", "start_at" : null, "end_at" : null, "jitter_micros" : 0, "calendar" : ""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:20+00', 'nightly', '2027-01-17 08:00:00+00', '', 0, 0, 0,
   3600000000, 1000, 3, 5000000, 300000000, 300000000, 0),
  (262264, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type":2,"cron_expression":"","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"2027-01-15T08:01:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00', 'once', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 0),
  (327703, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00', 'gone', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 0),
  (327703, 2, '2027-01-15 08:00:20+00', 4, 'default',
   '{"type" : 0, "cron_expression" : "* * * * *", "dialect" : 0, "timezone" : "UTC", "dst_gap" : 0, "dst_overlap" : 0, "every_micros" : 0, "run_at" : "1970-01-01T00:00:00+00:00", "start_at" : null, "end_at" : null, "jitter_micros" : 0, "calendar" : ""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:20+00', 'gone', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 0),
  (393397, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"HTTP","url":"https://example.org/hook"}', 'null', '2027-01-15 08:00:00+00', 'hook', null, '',
   0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0),
  (458835, 1, '2027-01-15 08:00:00+00', 0, 'lines',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00', 'line', null, '', 3, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 0),
  (524529, 1, '2027-01-15 08:00:00+00', 0, 'default',
   '{"type":0,"cron_expression":"0 9 * * 1-5","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":"1970-01-01T00:00:00Z","start_at":null,"end_at":null,"jitter_micros":0,"calendar":"holidays"}',
   '{"kind":"WORKER"}', 'null', '2027-01-15 08:00:00+00', 'closed', null, '2027-12-25
2028-01-01', 0, 0, 0,
   3600000000, 1000, 3, 5000000, 300000000, 300000000, 0);

insert into job_labels (tenant_id, label, name)
values
  (1, 'env=prod', 'report'),
  (1, 'team=data', 'nightly'),
  (1, 'team=data', 'report'),
  (2, 'team=web', 'hook');

insert into tenant_jobs (tenant_id, partition, jobs)
values
  (1, 23, 0),
  (1, 60, 1),
  (1, 120, 1),
  (1, 158, 1),
  (1, 218, 1),
  (2, 83, 1),
  (2, 181, 1),
  (2, 241, 1);

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
                  cancel_requested, epoch, node, payload, queue, holds_job, holds_room)
values
  (158, 65694, 1800000600000000, 1, 'reports', 2, 0, 0, 7, '2027-01-15 08:10:00+00', '2027-01-15 08:10:00+00',
   '2027-01-15 08:10:00+00', 1, true, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, false, 1,
   'fedcba98-7654-3210-0000-000000000001', null, null, true, false),
  (60, 131132, 1800000600000000, 1, 'default', 1, 0, 2, 0, '2027-01-15 08:10:00+00', '2027-01-15 08:20:01+00',
   '2027-01-15 08:10:00+00', 1, false, 1, 2, 5000000, 300000000, 300000000, 1099511627782, '', null, null, null,
   false, 1, 'fedcba98-7654-3210-0000-000000000001', null, null, false, false),
  (60, 131132, 1800000660000000, 1, 'default', 1, 0, 1, 0, '2027-01-15 08:11:00+00', '2027-01-15 08:11:00+00',
   '2027-01-15 08:11:00+00', 1, false, 1, 2, 5000000, 300000000, 300000000, 1099511627783, 'worker-2',
   '2027-01-15 08:11:01+00', '2027-01-15 08:21:01+00', '2027-01-15 08:16:01+00', false, 1,
   'fedcba98-7654-3210-0000-000000000001', null, null, false, false),
  (60, 131132, 1800000720000000, 1, 'default', 1, 0, 0, 0, '2027-01-15 08:12:00+00', '2027-01-15 08:12:00+00',
   '2027-01-15 08:12:00+00', 1, false, 0, 2, 5000000, 300000000, 300000000, 0, '', null, null, null, false, 1,
   'fedcba98-7654-3210-0000-000000000001', null, null, false, false),
  (181, 393397, 1800000720000000, 2, 'default', 1, 0, 0, 0, '2027-01-15 08:12:00+00', '2027-01-15 08:12:00+00',
   '2027-01-15 08:12:00+00', 1, true, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, false, 1,
   'fedcba98-7654-3210-0000-000000000001', null, 'HTTP *', true, false),
  (83, 458835, 1800000720000000, 2, 'lines', 1, 0, 1, 0, '2027-01-15 08:12:00+00', '2027-01-15 08:12:00+00',
   '2027-01-15 08:12:00+00', 1, true, 1, 3, 5000000, 300000000, 300000000, 1099511627784, 'worker-4',
   '2027-01-15 08:12:00+00', '2027-01-15 08:22:00+00', '2027-01-15 08:17:00+00', false, 1,
   'fedcba98-7654-3210-0000-000000000001', null, null, true, true),
  (83, 458835, 1800000780000000, 2, 'lines', 1, 0, 0, 0, '2027-01-15 08:13:00+00', '2027-01-15 08:13:00+00',
   '2027-01-15 08:13:00+00', 1, true, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, false, 1,
   'fedcba98-7654-3210-0000-000000000001', null, null, false, false);

insert into skips (partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch)
values
  (158, 65694, '2027-01-15 08:05:00+00', '2027-01-15 08:05:00+00', 1, 9, false, '2027-01-15 08:05:00+00', 1),
  (218, 196826, '2027-01-15 08:01:40+00', '2027-01-15 08:08:20+00', 5, 0, true, '2027-01-15 08:10:00+00', 1);

insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
                     scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker,
                     epoch, node, result, error, payload)
values
  (60, 131132, 1800000060000000, 1, 'default', 1, 0, 3, '2027-01-15 08:01:00+00', '2027-01-15 08:01:00+00',
   '2027-01-15 08:01:02+00', '2027-01-15 08:01:05+00', 1, 1, 1099511627777, 'worker-1', 1,
   'fedcba98-7654-3210-0000-000000000001', '{"rows":3}', '', null),
  (60, 131132, 1800000120000000, 1, 'default', 1, 0, 5, '2027-01-15 08:02:00+00', '2027-01-15 08:02:00+00',
   '2027-01-15 08:02:10+00', '2027-01-15 08:02:11+00', 1, 2, 1099511627779, 'worker-2', 1,
   'fedcba98-7654-3210-0000-000000000001', null, 'no answer again', null),
  (60, 131132, 1800000180000000, 1, 'default', 1, 0, 6, '2027-01-15 08:03:00+00', '2027-01-15 08:03:00+00',
   null, '2027-01-15 08:03:05+00', 1, 0, 0, '', 1, 'fedcba98-7654-3210-0000-000000000001', null, '', null),
  (120, 262264, 1800000060000000, 1, 'default', 1, 0, 3, '2027-01-15 08:01:00+00', '2027-01-15 08:03:05+00',
   '2027-01-15 08:03:05+00', '2027-01-15 08:03:05+00', 1, 1, 1099511627780, 'worker-1', 1,
   'fedcba98-7654-3210-0000-000000000001', null, '', null),
  (158, 65694, -7, 1, 'reports', 2, 1, 3, '2027-01-15 08:03:20+00', '2027-01-15 08:03:20+00',
   '2027-01-15 08:03:21+00', '2027-01-15 08:03:22+00', 1, 1, 1099511627781, 'worker-3', 1,
   'fedcba98-7654-3210-0000-000000000001', 'true', '', '{"by":"hand"}');

insert into attempts (partition, job_id, run_key, attempt, fence, outcome, worker, started_at, finished_at,
                      error)
values
  (60, 131132, 1800000060000000, 1, 1099511627777, 0, 'worker-1', '2027-01-15 08:01:02+00',
   '2027-01-15 08:01:05+00', ''),
  (60, 131132, 1800000120000000, 1, 1099511627778, 1, 'worker-1', '2027-01-15 08:02:01+00',
   '2027-01-15 08:02:02+00', 'no answer'),
  (60, 131132, 1800000120000000, 2, 1099511627779, 1, 'worker-2', '2027-01-15 08:02:10+00',
   '2027-01-15 08:02:11+00', 'no answer again'),
  (120, 262264, 1800000060000000, 1, 1099511627780, 0, 'worker-1', '2027-01-15 08:03:05+00',
   '2027-01-15 08:03:05+00', ''),
  (158, 65694, -7, 1, 1099511627781, 0, 'worker-3', '2027-01-15 08:03:21+00', '2027-01-15 08:03:22+00', ''),
  (60, 131132, 1800000600000000, 1, 1099511627782, 1, 'worker-1', '2027-01-15 08:10:00+00',
   '2027-01-15 08:10:01+00', 'too busy');

insert into run_logs (partition, job_id, run_key, attempt, log, progress_done, progress_total, updated_at)
values
  (60, 131132, 1800000660000000, 1, 'half of it
', 1, 2, '2027-01-15 08:11:01+00');

insert into idempotency (tenant_id, key, fingerprint, job_ids, at)
values
  (2, 'key-closed', 'print-closed', '{524529}', '2027-01-15 08:00:00+00'),
  (1, 'key-gone', 'print-gone', '{327703}', '2027-01-15 08:00:00+00'),
  (2, 'key-hook', 'print-hook', '{393397}', '2027-01-15 08:00:00+00'),
  (2, 'key-line', 'print-line', '{458835}', '2027-01-15 08:00:00+00'),
  (1, 'key-nightly', 'print-nightly', '{196826}', '2027-01-15 08:00:00+00'),
  (1, 'key-once', 'print-once', '{262264}', '2027-01-15 08:00:00+00'),
  (1, 'key-poll', 'print-poll', '{131132}', '2027-01-15 08:00:00+00'),
  (1, 'key-report', 'print-report', '{65694}', '2027-01-15 08:00:00+00');

insert into outbox (seq, at, tenant_id, kind, count, news) overriding system value
values
  (1, '2027-01-15 08:00:00+00', 1, 0, 1, '65694:1:0'),
  (2, '2027-01-15 08:00:00+00', 1, 0, 1, '131132:1:0'),
  (3, '2027-01-15 08:00:00+00', 1, 0, 1, '196826:1:0'),
  (4, '2027-01-15 08:00:00+00', 1, 0, 1, '262264:1:0'),
  (5, '2027-01-15 08:00:00+00', 1, 0, 1, '327703:1:0'),
  (6, '2027-01-15 08:00:00+00', 2, 0, 1, '393397:1:0'),
  (7, '2027-01-15 08:00:00+00', 2, 0, 1, '458835:1:0'),
  (8, '2027-01-15 08:00:00+00', 2, 0, 1, '524529:1:0'),
  (9, '2027-01-15 08:00:10+00', 1, 0, 1, '65694:2:0'),
  (10, '2027-01-15 08:00:20+00', 1, 0, 1, '196826:2:1'),
  (11, '2027-01-15 08:00:20+00', 1, 0, 1, '327703:2:4'),
  (12, '2027-01-15 08:01:00+00', 1, 1, 1, '131132:1800000060000000:0'),
  (13, '2027-01-15 08:01:02+00', 1, 1, 1, '131132:1800000060000000:1'),
  (14, '2027-01-15 08:01:05+00', 1, 1, 1, '131132:1800000060000000:3'),
  (15, '2027-01-15 08:02:00+00', 1, 1, 1, '131132:1800000120000000:0'),
  (16, '2027-01-15 08:02:01+00', 1, 1, 1, '131132:1800000120000000:1'),
  (17, '2027-01-15 08:02:02+00', 1, 1, 1, '131132:1800000120000000:2'),
  (18, '2027-01-15 08:02:10+00', 1, 1, 1, '131132:1800000120000000:1'),
  (19, '2027-01-15 08:02:11+00', 1, 1, 1, '131132:1800000120000000:5'),
  (20, '2027-01-15 08:03:00+00', 1, 1, 1, '131132:1800000180000000:0'),
  (21, '2027-01-15 08:03:05+00', 1, 1, 1, '131132:1800000180000000:6'),
  (22, '2027-01-15 08:03:05+00', 1, 1, 1, '262264:1800000060000000:0'),
  (23, '2027-01-15 08:03:05+00', 1, 1, 1, '262264:1800000060000000:1'),
  (24, '2027-01-15 08:03:05+00', 1, 1, 1, '262264:1800000060000000:3'),
  (25, '2027-01-15 08:03:05+00', 1, 0, 1, '262264:1:3'),
  (26, '2027-01-15 08:03:20+00', 1, 1, 1, '65694:-7:0'),
  (27, '2027-01-15 08:03:21+00', 1, 1, 1, '65694:-7:1'),
  (28, '2027-01-15 08:03:22+00', 1, 1, 1, '65694:-7:3'),
  (29, '2027-01-15 08:10:00+00', 1, 1, 1, '65694:1800000600000000:0'),
  (30, '2027-01-15 08:10:00+00', 1, 1, 1, '131132:1800000600000000:0'),
  (31, '2027-01-15 08:10:00+00', 1, 1, 1, '131132:1800000600000000:1'),
  (32, '2027-01-15 08:10:01+00', 1, 1, 1, '131132:1800000600000000:2'),
  (33, '2027-01-15 08:11:00+00', 1, 1, 1, '131132:1800000660000000:0'),
  (34, '2027-01-15 08:11:01+00', 1, 1, 1, '131132:1800000660000000:1'),
  (35, '2027-01-15 08:12:00+00', 1, 1, 1, '131132:1800000720000000:0'),
  (36, '2027-01-15 08:12:00+00', 2, 1, 1, '393397:1800000720000000:0'),
  (37, '2027-01-15 08:12:00+00', 2, 1, 1, '458835:1800000720000000:0'),
  (38, '2027-01-15 08:12:00+00', 2, 1, 1, '458835:1800000720000000:1'),
  (39, '2027-01-15 08:13:00+00', 2, 1, 1, '458835:1800000780000000:0');

insert into audit (seq, at, tenant_id, actor, action, object, detail) overriding system value
values
  (1, '2027-01-15 08:00:00+00', 2, 'ann', 'calendar.put', 'calendar:holidays',
   E'{"rules": "2027-12-25\\n2028-01-01", "revision": "1", "request_id": "req-0"}'),
  (2, '2027-01-15 08:00:00+00', 2, 'ann', 'key.created', 'key:1',
   '{"name": "deploy", "scope": "1", "request_id": "req-0"}'),
  (3, '2027-01-15 08:00:00+00', 2, 'ann', 'key.created', 'key:2',
   '{"name": "old", "scope": "0", "request_id": "req-0"}'),
  (4, '2027-01-15 08:00:00+00', 2, 'ann', 'key.revoked', 'key:2', '{"name": "old", "request_id": "req-0"}'),
  (5, '2027-01-15 08:00:00+00', 1, 'ann', 'job.create', 'job:65694',
   '{"note": "", "changed": [], "job_name": "report", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (6, '2027-01-15 08:00:00+00', 1, 'ann', 'job.create', 'job:131132',
   '{"note": "", "changed": [], "job_name": "poll", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (7, '2027-01-15 08:00:00+00', 1, 'ann', 'job.create', 'job:196826',
   '{"note": "", "changed": [], "job_name": "nightly", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (8, '2027-01-15 08:00:00+00', 1, 'ann', 'job.create', 'job:262264',
   '{"note": "", "changed": [], "job_name": "once", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (9, '2027-01-15 08:00:00+00', 1, 'ann', 'job.create', 'job:327703',
   '{"note": "", "changed": [], "job_name": "gone", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (10, '2027-01-15 08:00:00+00', 2, 'ann', 'job.create', 'job:393397',
   '{"note": "", "changed": [], "job_name": "hook", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (11, '2027-01-15 08:00:00+00', 2, 'ann', 'job.create', 'job:458835',
   '{"note": "", "changed": [], "job_name": "line", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (12, '2027-01-15 08:00:00+00', 2, 'ann', 'job.create', 'job:524529',
   '{"note": "", "changed": [], "job_name": "closed", "request_id": "req-1", "revision_after": 1, "revision_before": 0}'),
  (13, '2027-01-15 08:00:10+00', 1, 'ann', 'job.update', 'job:65694',
   '{"note": "", "changed": ["payload"], "job_name": "report", "request_id": "req-2", "revision_after": 2, "revision_before": 1}'),
  (14, '2027-01-15 08:00:20+00', 1, 'ann', 'job.pause', 'job:196826',
   '{"note": "until the move is over", "changed": [], "job_name": "nightly", "request_id": "req-2", "revision_after": 2, "revision_before": 1}'),
  (15, '2027-01-15 08:00:20+00', 1, 'ann', 'job.delete', 'job:327703',
   '{"note": "", "changed": [], "job_name": "gone", "request_id": "req-2", "revision_after": 2, "revision_before": 1}'),
  (16, '2027-01-15 08:03:20+00', 1, 'ann', 'run.trigger', 'run:65694:-7', '{"request_id": "req-3"}');

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
select setval('api_keys_id_seq', 2);
select setval('outbox_seq_seq', 39);
select setval('audit_seq_seq', 16);

-- Runs that nobody has started have a time to start; the dead one says why it is.
update runs set start_by = due_at + interval '1 day' where state = 0;
update history set reason = 1 where state = 5;
insert into failing (partition, job_id, tenant_id, in_a_row, since)
values
  (60, 131132, 1, 1, '2027-01-15 08:02:11+00');

-- The key that deploys may run commands, and was used.
update api_keys set may_exec = true, last_used_at = '2027-01-15 08:10:00+00' where name = 'deploy';

insert into secrets (tenant_id, name, sealed, created_at, updated_at, updated_by)
values
  (2, 'hook-key', 'v1.0102030405060708.c2VhbGVk', '2027-01-15 08:00:00+00', '2027-01-15 08:00:10+00', 'ann');

insert into seal_keys (id, noted_at)
values
  ('0102030405060708', '2027-01-15 08:00:00+00');

insert into bulk_work (id, tenant_id, object, action, selector, arguments, note, actor, request_id, key_id,
                       address, state, cursor, total, exact, done, skipped, created_at, finished_at) overriding system value
values
  (1, 1, 'jobs', 'pause', '{"labels":["team=data"]}', '{}', 'the move', 'ann', 'req-4', '', '127.0.0.1', 1, '',
   2, true, 1, 1, '2027-01-15 08:00:20+00', '2027-01-15 08:00:21+00');

insert into alert_rules (tenant_id, name, definition, created_at, updated_at, updated_by)
values
  (1, 'polls', '{"when":"failed_in_a_row","count":1,"scope":{"job":"poll","job_type":"","labels":[]},"receivers":[]}', '2027-01-15 08:00:00+00',
   '2027-01-15 08:00:00+00', 'ann');

insert into alert_silences (id, tenant_id, definition, until, created_at, created_by)
values
  (1, 1, '{"rule":"polls","scope":{"job":"poll","job_type":"","labels":[]},"note":"the move"}', '2027-01-16 08:00:00+00', '2027-01-15 08:00:00+00', 'ann');

update alert_looks set look = 3, looked_at = '2027-01-15 08:02:20+00';

insert into alerts (id, tenant_id, rule, subject, job_id, sentence, opened_at, opened_notice)
values
  (1, 1, 'polls', 'job:131132', 131132, 'poll has failed once', '2027-01-15 08:02:15+00', 0);

insert into checkins (job_id, token, created_at, created_by)
values
  (458835, 'a-token-of-the-line', '2027-01-15 08:00:00+00', 'ann');

-- At most two reports at once, at most ten a minute, and each has four tries.
insert into job_types (tenant_id, name, max_concurrent, starts, per, burst, max_attempts, updated_at, updated_by)
values
  (1, 'reports', 2, 10, 60000000, 5, 4, '2027-01-15 08:00:30+00', 'ann');

-- Any region's workers may have the runs of the line.
update jobs set run_in = 1 where id = 458835;
update job_revisions set run_in = 1 where job_id = 458835;
update runs set run_in = 1 where job_id = 458835;

-- The alert began in a silence; the node's clock is ahead; nobody can evaluate one schedule.
update alerts set quiet = true, opened_notice = null;
update nodes set clock_offset = 1500;
insert into broken_schedules (job_id, reason, since)
values
  (524529, 'timezone: no such zone', '2027-01-15 08:00:00+00');

-- What the holidays close runs when they are over.
update jobs set calendar_policy = 1 where id = 524529;
update job_revisions set schedule = replace(schedule::text, '"calendar":"holidays"', '"calendar":"holidays","calendar_policy":1')::json
where job_id = 524529;
