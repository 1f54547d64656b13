tenant_id, job_type, revision, origin, scheduled_for, decided_at, started_at, stands_for, attempt,
fence, worker, epoch, node, payload
