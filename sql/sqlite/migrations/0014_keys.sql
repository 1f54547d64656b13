-- Admins administer their own tenant; who was an admin of all of them is root now. Running commands
-- is a permission of its own.
alter table api_keys add column may_exec integer not null default 0;
alter table api_keys add column last_used_at integer;
alter table api_keys add column replaced_at integer;  -- by a key of the same name, which was made then
update api_keys set scope = 4, may_exec = 1 where scope = 2;

-- A name means one key. Of those that share one, the newest keeps it.
update api_keys
set name = name || '-' || id
where revoked_at is null and exists (
  select 1 from api_keys o
  where o.tenant_id = api_keys.tenant_id and o.name = api_keys.name and o.revoked_at is null and o.id > api_keys.id);
create unique index api_keys_name on api_keys (tenant_id, name)
  where revoked_at is null and replaced_at is null;
