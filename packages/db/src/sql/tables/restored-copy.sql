-- The row of an installation that was restored from a backup and is not armed: it neither dials nor posts webhooks
-- (docs/decisions/backups.md). Arming removes the row.
create table restored_copy (
  id int not null, taken_at timestamptz(6) not null, restored_at timestamptz(6) not null, primary key (id)
);
alter table restored_copy add constraint restored_copy_id_check check (id = 1);
