id, tenant_id, object, action, selector, arguments, note, actor, request_id, key_id, address, total,
exact, state, cursor, done, skipped, failed, error, created_at, finished_at
