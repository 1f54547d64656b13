-- Admins administer their own tenant; who was an admin of all of them is root now. Running commands
-- is a permission of its own.
alter table api_keys
  add column may_exec boolean not null default false,
  add column last_used_at timestamptz,
  add column replaced_at timestamptz;  -- by a key of the same name, which was made then
update api_keys set scope = 4, may_exec = true where scope = 2;

-- A name means one key. Of those that share one, the newest keeps it.
update api_keys k
set name = k.name || '-' || k.id
where k.revoked_at is null and exists (
  select from api_keys o
  where o.tenant_id = k.tenant_id and o.name = k.name and o.revoked_at is null and o.id > k.id);
create unique index api_keys_name on api_keys (tenant_id, name)
  where revoked_at is null and replaced_at is null;
