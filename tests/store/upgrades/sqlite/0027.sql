-- The rows of a database at schema 27, those of 0026 with what the new store writes beside them.
-- What they tell is in the README beside.

insert into regions (no, name)
values
  (0, 'default');

insert into tenants (id, name, weight, max_in_flight, created_at, max_jobs, max_requests)
values
  (1, 'default', 1, 0, 1800000000000000, 0, 0),
  (2, 'acme', 3, 5, 1800000000000000, 500, 0);

insert into nodes (incarnation, name, region, started_at, lease_until)
values
  (X'FEDCBA98765432100000000000000001', 'node-1', 0, 1800000000000000, 1800087180000000);

update counters set value = 8 where name = 'fences';
update counters set value = 8 where name = 'job_serials';

insert into calendars (tenant_id, name, rules, revision, followed, updated_at)
values
  (2, 'holidays', '2027-12-25
2028-01-01', 1, 1, 1800000000000000);

insert into api_keys (id, tenant_id, name, hash, scope, created_at, expires_at, revoked_at, created_by)
values
  (1, 2, 'deploy', X'0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F20', 1, 1800000000000000,
   1831536000000000, null, 'ann'),
  (2, 2, 'old', X'65666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F8081828384', 0, 1800000000000000,
   null, 1800000000000000, 'ann');

insert into jobs (id, partition, tenant_id, name, revision, status, effective_from, paused_until, job_type,
                  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros,
                  run_at, start_at, end_at, jitter_micros, calendar, overlap, max_concurrent, misfire,
                  misfire_grace, max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority,
                  live_limit, exclusive, replaces, labels, description, created_at, updated_at, paused_by,
                  pause_note, calendar_rules, calendar_revision, queue)
values
  (65694, 158, 1, 'report', 2, 0, 1800000010000000, null, 'reports', 0, '*/5 * * * *', 0, 'Europe/Berlin',
   0, 0, 0, 0, null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 7, 1, 1, 0,
   '{"env":"prod","team":"data"}', 'What the board reads.', 1800000000000000, 1800000010000000, '', '', '',
   0, null),
  (131132, 60, 1, 'poll', 1, 0, 1800000000000000, null, 'default', 1, '', 0, 'UTC', 0, 0, 60000000, 0, null,
   null, 0, '', 1, 0, 0, 3600000000, 1000, 2, 5000000, 300000000, 300000000, 0, 2147483647, 0, 0, '{}', '',
   1800000000000000, 1800000000000000, '', '', '', 0, null),
  (196826, 218, 1, 'nightly', 2, 1, 1800000020000000, 1800172800000000, 'default', 0, '0 2 * * *', 0, 'UTC',
   0, 0, 0, 0, null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0, 1, 1, 0,
   '{"team":"data"}', '', 1800000000000000, 1800000020000000, 'ann', 'until the move is over', '', 0, null),
  (262264, 120, 1, 'once', 1, 3, 1800000000000000, null, 'default', 2, '', 0, 'UTC', 0, 0, 0,
   1800000060000000, null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0, 1,
   1, 0, '{}', '', 1800000000000000, 1800000185000000, '', '', '', 0, null),
  (327703, 23, 1, 'gone', 2, 4, 1800000020000000, null, 'default', 0, '* * * * *', 0, 'UTC', 0, 0, 0, 0,
   null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0, 1, 1, 0,
   '{"team":"data"}', '', 1800000000000000, 1800000020000000, '', '', '', 0, null),
  (393397, 181, 2, 'hook', 1, 0, 1800000000000000, null, 'default', 0, '* * * * *', 0, 'UTC', 0, 0, 0, 0,
   null, null, 0, '', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0, 1, 1, 0,
   '{"team":"web"}', '', 1800000000000000, 1800000000000000, '', '', '', 0, 'HTTP *'),
  (458835, 83, 2, 'line', 1, 0, 1800000000000000, null, 'lines', 0, '* * * * *', 0, 'UTC', 0, 0, 0, 0, null,
   null, 0, '', 3, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0, 2, 1, 0, '{}', '',
   1800000000000000, 1800000000000000, '', '', '', 0, null),
  (524529, 241, 2, 'closed', 1, 0, 1800000000000000, null, 'default', 0, '0 9 * * 1-5', 0, 'UTC', 0, 0, 0,
   0, null, null, 0, 'holidays', 0, 0, 0, 3600000000, 1000, 3, 5000000, 300000000, 300000000, 0, 1, 1, 0,
   '{}', '', 1800000000000000, 1800000000000000, '', '', '2027-12-25
2028-01-01', 1, null);

insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target, payload,
                           created_at, name, paused_until, calendar_rules, overlap, max_concurrent, misfire,
                           misfire_grace, max_missed_firings, max_attempts, retry_base, retry_cap, timeout,
                           priority)
values
  (65694, 1, 1800000000000000, 0, 'reports',
   '{"type":0,"cron_expression":"*/5 * * * *","dialect":0,"timezone":"Europe/Berlin","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', '{"pages":1}', 1800000000000000, 'report', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 7),
  (65694, 2, 1800000010000000, 0, 'reports',
   '{"type":0,"cron_expression":"*/5 * * * *","dialect":0,"timezone":"Europe/Berlin","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', '{"pages":2}', 1800000010000000, 'report', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 7),
  (131132, 1, 1800000000000000, 0, 'default',
   '{"type":1,"cron_expression":"","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":60000000,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', '[1,2]', 1800000000000000, 'poll', null, '', 1, 0, 0, 3600000000, 1000, 2, 5000000,
   300000000, 300000000, 0),
  (196826, 1, 1800000000000000, 0, 'default',
   '{"type":0,"cron_expression":"0 2 * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', 1800000000000000, 'nightly', null, '', 0, 0, 0, 3600000000, 1000, 3,
   5000000, 300000000, 300000000, 0),
  (196826, 2, 1800000020000000, 1, 'default',
   '{"type":0,"cron_expression":"0 2 * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', 1800000020000000, 'nightly', 1800172800000000, '', 0, 0, 0, 3600000000,
   1000, 3, 5000000, 300000000, 300000000, 0),
  (262264, 1, 1800000000000000, 0, 'default',
   '{"type":2,"cron_expression":"","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":1800000060000000,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', 1800000000000000, 'once', null, '', 0, 0, 0, 3600000000, 1000, 3, 5000000,
   300000000, 300000000, 0),
  (327703, 1, 1800000000000000, 0, 'default',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', 1800000000000000, 'gone', null, '', 0, 0, 0, 3600000000, 1000, 3, 5000000,
   300000000, 300000000, 0),
  (327703, 2, 1800000020000000, 4, 'default',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', 1800000020000000, 'gone', null, '', 0, 0, 0, 3600000000, 1000, 3, 5000000,
   300000000, 300000000, 0),
  (393397, 1, 1800000000000000, 0, 'default',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"HTTP","url":"https://example.org/hook"}', 'null', 1800000000000000, 'hook', null, '', 0, 0, 0,
   3600000000, 1000, 3, 5000000, 300000000, 300000000, 0),
  (458835, 1, 1800000000000000, 0, 'lines',
   '{"type":0,"cron_expression":"* * * * *","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":""}',
   '{"kind":"WORKER"}', 'null', 1800000000000000, 'line', null, '', 3, 0, 0, 3600000000, 1000, 3, 5000000,
   300000000, 300000000, 0),
  (524529, 1, 1800000000000000, 0, 'default',
   '{"type":0,"cron_expression":"0 9 * * 1-5","dialect":0,"timezone":"UTC","dst_gap":0,"dst_overlap":0,"every_micros":0,"run_at":0,"start_at":null,"end_at":null,"jitter_micros":0,"calendar":"holidays"}',
   '{"kind":"WORKER"}', 'null', 1800000000000000, 'closed', null, '2027-12-25
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
  (23, 1, 327703, 1800000000000000),
  (23, 2, 327703, 1800000020000000),
  (60, 1, 131132, 1800000000000000),
  (83, 1, 458835, 1800000000000000),
  (120, 1, 262264, 1800000000000000),
  (158, 1, 65694, 1800000000000000),
  (158, 2, 65694, 1800000010000000),
  (181, 1, 393397, 1800000000000000),
  (218, 1, 196826, 1800000000000000),
  (218, 2, 196826, 1800000020000000),
  (241, 1, 524529, 1800000000000000);

insert into runs (partition, job_id, run_key, tenant_id, job_type, revision, origin, state, priority,
                  scheduled_for, due_at, decided_at, stands_for, exclusive, attempt, max_attempts,
                  retry_base, retry_cap, timeout, fence, worker, started_at, lease_until, deadline,
                  cancel_requested, epoch, node, payload, queue, holds_room)
values
  (158, 65694, 1800000600000000, 1, 'reports', 2, 0, 0, 7, 1800000600000000, 1800000600000000, 1800000600000000,
   1, 1, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, 0, 1,
   X'FEDCBA98765432100000000000000001', null, null, 0),
  (60, 131132, 1800000600000000, 1, 'default', 1, 0, 2, 0, 1800000600000000, 1800001201000000, 1800000600000000,
   1, 0, 1, 2, 5000000, 300000000, 300000000, 6, '', null, null, null, 0, 1,
   X'FEDCBA98765432100000000000000001', null, null, 0),
  (60, 131132, 1800000660000000, 1, 'default', 1, 0, 1, 0, 1800000660000000, 1800000660000000, 1800000660000000,
   1, 0, 1, 2, 5000000, 300000000, 300000000, 7, 'worker-2', 1800000661000000, 1800001261000000,
   1800000961000000, 0, 1, X'FEDCBA98765432100000000000000001', null, null, 0),
  (60, 131132, 1800000720000000, 1, 'default', 1, 0, 0, 0, 1800000720000000, 1800000720000000, 1800000720000000,
   1, 0, 0, 2, 5000000, 300000000, 300000000, 0, '', null, null, null, 0, 1,
   X'FEDCBA98765432100000000000000001', null, null, 0),
  (181, 393397, 1800000720000000, 2, 'default', 1, 0, 0, 0, 1800000720000000, 1800000720000000,
   1800000720000000, 1, 1, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, 0, 1,
   X'FEDCBA98765432100000000000000001', null, 'HTTP *', 0),
  (83, 458835, 1800000720000000, 2, 'lines', 1, 0, 1, 0, 1800000720000000, 1800000720000000, 1800000720000000,
   1, 1, 1, 3, 5000000, 300000000, 300000000, 8, 'worker-4', 1800000720000000, 1800001320000000,
   1800001020000000, 0, 1, X'FEDCBA98765432100000000000000001', null, null, 1),
  (83, 458835, 1800000780000000, 2, 'lines', 1, 0, 0, 0, 1800000780000000, 1800000780000000, 1800000780000000,
   1, 1, 0, 3, 5000000, 300000000, 300000000, 0, '', null, null, null, 0, 1,
   X'FEDCBA98765432100000000000000001', null, null, 0);

insert into skips (partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch)
values
  (158, 65694, 1800000300000000, 1800000300000000, 1, 9, 0, 1800000300000000, 1),
  (218, 196826, 1800000100000000, 1800000500000000, 5, 0, 1, 1800000600000000, 1);

insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
                     scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker,
                     epoch, node, result, error, payload)
values
  (60, 131132, 1800000060000000, 1, 'default', 1, 0, 3, 1800000060000000, 1800000060000000,
   1800000062000000, 1800000065000000, 1, 1, 1, 'worker-1', 1, X'FEDCBA98765432100000000000000001',
   '{"rows":3}', '', null),
  (60, 131132, 1800000120000000, 1, 'default', 1, 0, 5, 1800000120000000, 1800000120000000,
   1800000130000000, 1800000131000000, 1, 2, 3, 'worker-2', 1, X'FEDCBA98765432100000000000000001', null,
   'no answer again', null),
  (60, 131132, 1800000180000000, 1, 'default', 1, 0, 6, 1800000180000000, 1800000180000000, null,
   1800000185000000, 1, 0, 0, '', 1, X'FEDCBA98765432100000000000000001', null, '', null),
  (120, 262264, 1800000060000000, 1, 'default', 1, 0, 3, 1800000060000000, 1800000185000000,
   1800000185000000, 1800000185000000, 1, 1, 4, 'worker-1', 1, X'FEDCBA98765432100000000000000001', null,
   '', null),
  (158, 65694, -7, 1, 'reports', 2, 1, 3, 1800000200000000, 1800000200000000, 1800000201000000,
   1800000202000000, 1, 1, 5, 'worker-3', 1, X'FEDCBA98765432100000000000000001', 'true', '',
   '{"by":"hand"}');

insert into attempts (partition, job_id, run_key, fence, attempt, outcome, worker, started_at, finished_at,
                      error)
values
  (60, 131132, 1800000060000000, 1, 1, 0, 'worker-1', 1800000062000000, 1800000065000000, ''),
  (60, 131132, 1800000120000000, 2, 1, 1, 'worker-1', 1800000121000000, 1800000122000000, 'no answer'),
  (60, 131132, 1800000120000000, 3, 2, 1, 'worker-2', 1800000130000000, 1800000131000000, 'no answer again'),
  (120, 262264, 1800000060000000, 4, 1, 0, 'worker-1', 1800000185000000, 1800000185000000, ''),
  (158, 65694, -7, 5, 1, 0, 'worker-3', 1800000201000000, 1800000202000000, ''),
  (60, 131132, 1800000600000000, 6, 1, 1, 'worker-1', 1800000600000000, 1800000601000000, 'too busy');

insert into run_logs (partition, job_id, run_key, attempt, log, progress_done, progress_total, updated_at)
values
  (60, 131132, 1800000660000000, 1, 'half of it
', 1, 2, 1800000661000000);

insert into idempotency (tenant_id, key, fingerprint, job_ids, at)
values
  (2, 'key-closed', 'print-closed', '[524529]', 1800000000000000),
  (1, 'key-gone', 'print-gone', '[327703]', 1800000000000000),
  (2, 'key-hook', 'print-hook', '[393397]', 1800000000000000),
  (2, 'key-line', 'print-line', '[458835]', 1800000000000000),
  (1, 'key-nightly', 'print-nightly', '[196826]', 1800000000000000),
  (1, 'key-once', 'print-once', '[262264]', 1800000000000000),
  (1, 'key-poll', 'print-poll', '[131132]', 1800000000000000),
  (1, 'key-report', 'print-report', '[65694]', 1800000000000000);

insert into outbox (seq, at, tenant_id, kind, count, news)
values
  (1, 1800000000000000, 1, 0, 1, '65694:1:0'),
  (2, 1800000000000000, 1, 0, 1, '131132:1:0'),
  (3, 1800000000000000, 1, 0, 1, '196826:1:0'),
  (4, 1800000000000000, 1, 0, 1, '262264:1:0'),
  (5, 1800000000000000, 1, 0, 1, '327703:1:0'),
  (6, 1800000000000000, 2, 0, 1, '393397:1:0'),
  (7, 1800000000000000, 2, 0, 1, '458835:1:0'),
  (8, 1800000000000000, 2, 0, 1, '524529:1:0'),
  (9, 1800000010000000, 1, 0, 1, '65694:2:0'),
  (10, 1800000020000000, 1, 0, 1, '196826:2:1'),
  (11, 1800000020000000, 1, 0, 1, '327703:2:4'),
  (12, 1800000060000000, 1, 1, 1, '131132:1800000060000000:0'),
  (13, 1800000062000000, 1, 1, 1, '131132:1800000060000000:1'),
  (14, 1800000065000000, 1, 1, 1, '131132:1800000060000000:3'),
  (15, 1800000120000000, 1, 1, 1, '131132:1800000120000000:0'),
  (16, 1800000121000000, 1, 1, 1, '131132:1800000120000000:1'),
  (17, 1800000122000000, 1, 1, 1, '131132:1800000120000000:2'),
  (18, 1800000130000000, 1, 1, 1, '131132:1800000120000000:1'),
  (19, 1800000131000000, 1, 1, 1, '131132:1800000120000000:5'),
  (20, 1800000180000000, 1, 1, 1, '131132:1800000180000000:0'),
  (21, 1800000185000000, 1, 1, 1, '131132:1800000180000000:6'),
  (22, 1800000185000000, 1, 1, 1, '262264:1800000060000000:0'),
  (23, 1800000185000000, 1, 1, 1, '262264:1800000060000000:1'),
  (24, 1800000185000000, 1, 1, 1, '262264:1800000060000000:3'),
  (25, 1800000185000000, 1, 0, 1, '262264:1:3'),
  (26, 1800000200000000, 1, 1, 1, '65694:-7:0'),
  (27, 1800000201000000, 1, 1, 1, '65694:-7:1'),
  (28, 1800000202000000, 1, 1, 1, '65694:-7:3'),
  (29, 1800000600000000, 1, 1, 1, '65694:1800000600000000:0'),
  (30, 1800000600000000, 1, 1, 1, '131132:1800000600000000:0'),
  (31, 1800000600000000, 1, 1, 1, '131132:1800000600000000:1'),
  (32, 1800000601000000, 1, 1, 1, '131132:1800000600000000:2'),
  (33, 1800000660000000, 1, 1, 1, '131132:1800000660000000:0'),
  (34, 1800000661000000, 1, 1, 1, '131132:1800000660000000:1'),
  (35, 1800000720000000, 1, 1, 1, '131132:1800000720000000:0'),
  (36, 1800000720000000, 2, 1, 1, '393397:1800000720000000:0'),
  (37, 1800000720000000, 2, 1, 1, '458835:1800000720000000:0'),
  (38, 1800000720000000, 2, 1, 1, '458835:1800000720000000:1'),
  (39, 1800000780000000, 2, 1, 1, '458835:1800000780000000:0');

insert into audit (seq, at, tenant_id, actor, action, object, detail)
values
  (1, 1800000000000000, 2, 'ann', 'calendar.put', 'calendar:holidays',
   '{"request_id":"req-0","revision":"1","rules":"2027-12-25\n2028-01-01"}'),
  (2, 1800000000000000, 2, 'ann', 'key.created', 'key:1',
   '{"request_id":"req-0","name":"deploy","scope":"1"}'),
  (3, 1800000000000000, 2, 'ann', 'key.created', 'key:2', '{"request_id":"req-0","name":"old","scope":"0"}'),
  (4, 1800000000000000, 2, 'ann', 'key.revoked', 'key:2', '{"request_id":"req-0","name":"old"}'),
  (5, 1800000000000000, 1, 'ann', 'job.create', 'job:65694',
   '{"request_id":"req-1","job_name":"report","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (6, 1800000000000000, 1, 'ann', 'job.create', 'job:131132',
   '{"request_id":"req-1","job_name":"poll","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (7, 1800000000000000, 1, 'ann', 'job.create', 'job:196826',
   '{"request_id":"req-1","job_name":"nightly","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (8, 1800000000000000, 1, 'ann', 'job.create', 'job:262264',
   '{"request_id":"req-1","job_name":"once","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (9, 1800000000000000, 1, 'ann', 'job.create', 'job:327703',
   '{"request_id":"req-1","job_name":"gone","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (10, 1800000000000000, 2, 'ann', 'job.create', 'job:393397',
   '{"request_id":"req-1","job_name":"hook","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (11, 1800000000000000, 2, 'ann', 'job.create', 'job:458835',
   '{"request_id":"req-1","job_name":"line","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (12, 1800000000000000, 2, 'ann', 'job.create', 'job:524529',
   '{"request_id":"req-1","job_name":"closed","revision_before":0,"revision_after":1,"changed":[],"note":""}'),
  (13, 1800000010000000, 1, 'ann', 'job.update', 'job:65694',
   '{"request_id":"req-2","job_name":"report","revision_before":1,"revision_after":2,"changed":["payload"],"note":""}'),
  (14, 1800000020000000, 1, 'ann', 'job.pause', 'job:196826',
   '{"request_id":"req-2","job_name":"nightly","revision_before":1,"revision_after":2,"changed":[],"note":"until the move is over"}'),
  (15, 1800000020000000, 1, 'ann', 'job.delete', 'job:327703',
   '{"request_id":"req-2","job_name":"gone","revision_before":1,"revision_after":2,"changed":[],"note":""}'),
  (16, 1800000200000000, 1, 'ann', 'run.trigger', 'run:65694:-7', '{"request_id":"req-3"}');

-- All owned by the node; where jobs are, versions and cursors have moved.
insert into partitions (id, owner, epoch, decided_through, jobs_version)
with recursive slices (id) as (select 0 union all select id + 1 from slices where id < 255)
select id, X'FEDCBA98765432100000000000000001', 1, 1800000000000000, 0
from slices;
update partitions set decided_through = 1800000000000000, jobs_version = 2 where id = 23;
update partitions set decided_through = 1800000720000000, jobs_version = 1 where id = 60;
update partitions set decided_through = 1800000780000000, jobs_version = 1 where id = 83;
update partitions set decided_through = 1800000060000000, jobs_version = 1 where id = 120;
update partitions set decided_through = 1800000600000000, jobs_version = 2 where id = 158;
update partitions set decided_through = 1800000720000000, jobs_version = 1 where id = 181;
update partitions set decided_through = 1800000600000000, jobs_version = 2 where id = 218;
update partitions set decided_through = 1800000000000000, jobs_version = 1 where id = 241;

-- Runs that nobody has started have a time to start; the dead one says why it is.
update runs set start_by = due_at + 86400000000 where state = 0;
update history set reason = 1 where state = 5;
insert into failing (job_id, tenant_id, in_a_row, since)
values
  (131132, 1, 1, 1800000131000000);

-- The key that deploys may run commands, and was used.
update api_keys set may_exec = 1, last_used_at = 1800000600000000 where name = 'deploy';

insert into secrets (tenant_id, name, sealed, created_at, updated_at, updated_by)
values
  (2, 'hook-key', 'v1.0102030405060708.c2VhbGVk', 1800000000000000, 1800000010000000, 'ann');

insert into seal_keys (id, noted_at)
values
  ('0102030405060708', 1800000000000000);

insert into bulk_work (id, tenant_id, object, action, selector, arguments, note, actor, request_id, key_id,
                       address, state, cursor, total, exact, done, skipped, created_at, finished_at)
values
  (1, 1, 'jobs', 'pause', '{"labels":["team=data"]}', '{}', 'the move', 'ann', 'req-4', '', '127.0.0.1', 1, '',
   2, 1, 1, 1, 1800000020000000, 1800000021000000);

insert into alert_rules (tenant_id, name, definition, created_at, updated_at, updated_by)
values
  (1, 'polls', '{"when":"failed_in_a_row","count":1,"scope":{"job":"poll","job_type":"","labels":[]},"receivers":[]}', 1800000000000000,
   1800000000000000, 'ann');

insert into alert_silences (id, tenant_id, definition, until, created_at, created_by)
values
  (1, 1, '{"rule":"polls","scope":{"job":"poll","job_type":"","labels":[]},"note":"the move"}', 1800086400000000, 1800000000000000, 'ann');

update alert_looks set look = 3, looked_at = 1800000140000000;

insert into alerts (id, tenant_id, rule, subject, job_id, sentence, opened_at, opened_notice)
values
  (1, 1, 'polls', 'job:131132', 131132, 'poll has failed once', 1800000135000000, 0);

insert into checkins (job_id, token, created_at, created_by)
values
  (458835, 'a-token-of-the-line', 1800000000000000, 'ann');

-- At most two reports at once, at most ten a minute, and each has four tries.
insert into job_types (tenant_id, name, max_concurrent, starts, per, burst, max_attempts, updated_at, updated_by)
values
  (1, 'reports', 2, 10, 60000000, 5, 4, 1800000030000000, 'ann');

-- Any region's workers may have the runs of the line.
update jobs set run_in = 1 where id = 458835;
update job_revisions set run_in = 1 where job_id = 458835;
update runs set run_in = 1 where job_id = 458835;

-- The alert began in a silence; the node's clock is ahead; nobody can evaluate one schedule.
update alerts set quiet = 1, opened_notice = null;
update nodes set clock_offset = 1500;
insert into broken_schedules (job_id, reason, since)
values
  (524529, 'timezone: no such zone', 1800000000000000);

-- What the holidays close runs when they are over.
update jobs set calendar_policy = 1 where id = 524529;
update job_revisions set schedule = replace(schedule, '"calendar":"holidays"', '"calendar":"holidays","calendar_policy":1')
where job_id = 524529;

-- The leader has looked, has found a hole, and has stated the day before.
insert into ledger_checks (id, version, checked_through, kept_after, sealed_through, violations, pass)
values
  (1, 7, 1800000600000000, 1799913600000000, 1799971200000000, 1, '');

insert into ledger_flaws (id, tenant_id, job_id, kind, first_tick, last_tick, count, revision, evidence, found_at)
values
  (1, 1, 131132, 0, 1800000240000000, 1800000300000000, 2, 1, 'neither a run nor a skip', 1800000700000000);

insert into proof_tallies (tenant_id, tally)
values
  (1, '{}');

insert into proofs (tenant_id, day, statement, digest, public_key, signature, sealed_at)
values
  (1, 1799884800000000, 'nothing was due', 'abcd', '', '', 1800000030000000);
