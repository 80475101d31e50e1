/** Versions of assistants: what each saved change replaced. */
import { Migration } from '@mikro-orm/migrations';

export class CreateAssistantVersions extends Migration {
  override up(): void {
    this.addSql(
      `create table assistant_versions (
         id bigserial primary key, user_id bigint not null, assistant_id bigint not null, version integer not null,
         token_id bigint null, restored_version integer null, changed text[] not null, replaced jsonb not null,
         created_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `alter table assistant_versions add constraint assistant_versions_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql(
      `alter table assistant_versions add constraint assistant_versions_assistant_id_foreign
         foreign key (assistant_id) references assistants (id) on delete cascade`,
    );
    this.addSql(
      `alter table assistant_versions add constraint assistant_versions_version_unique unique (assistant_id, version)`,
    );
    this.addSql('create index assistant_versions_user_id_index on assistant_versions (user_id)');
  }
}
