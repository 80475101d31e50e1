/** The audit log. Entries are only added; the retention job removes old ones, and a restore empties the table before it fills it. */
import { Migration } from '@mikro-orm/migrations';
import { AUDIT_RETENTION_SETTING } from '../sql/audit-retention.ts';

export class CreateAuditLog extends Migration {
  override up(): void {
    this.addSql(
      `create table audit_entries (
         id bigserial primary key, at timestamptz(6) not null, user_id bigint null, token_id bigint null,
         channel text not null, network_address text null, operation text not null, object_id bigint null,
         fields text[] not null, outcome text not null
       )`,
    );
    this.addSql(
      `alter table audit_entries add constraint audit_entries_channel_check check (channel in ('api', 'app', 'cli'))`,
    );
    this.addSql(
      `alter table audit_entries add constraint audit_entries_outcome_check check (outcome in ('done', 'refused'))`,
    );
    this.addSql('create index audit_entries_user_id_id_index on audit_entries (user_id, id)');
    this.addSql('create index audit_entries_at_index on audit_entries (at)');
    this.addSql(
      `create function parley_refuse_audit_change() returns trigger language plpgsql as $$
       begin
         if tg_op <> 'UPDATE' and current_setting('${AUDIT_RETENTION_SETTING}', true) = 'on' then return old; end if;
         raise exception 'The audit log is append-only';
       end $$`,
    );
    this.addSql(
      `create trigger audit_entries_append_only before update or delete on audit_entries
         for each row execute function parley_refuse_audit_change()`,
    );
    this.addSql(
      `create trigger audit_entries_no_truncate before truncate on audit_entries
         for each statement execute function parley_refuse_audit_change()`,
    );
  }
}
