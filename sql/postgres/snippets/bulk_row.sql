b.id, b.tenant_id, b.object, b.action, b.selector::text, b.arguments::text, b.note, b.actor,
b.request_id, b.key_id, b.address, b.total, b.exact, b.state, b.cursor, b.done, b.skipped, b.failed,
b.error, b.created_at, b.finished_at
