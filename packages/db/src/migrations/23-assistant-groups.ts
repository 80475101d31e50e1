/** Folders and labels of assistants. */
import { Migration } from '@mikro-orm/migrations';

export class CreateAssistantGroups extends Migration {
  override up(): void {
    this.addSql(
      `create table assistant_groups (
         id bigserial primary key, user_id bigint not null, kind text not null, name text not null, color text null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `alter table assistant_groups add constraint assistant_groups_kind_check check (kind in ('folder', 'label'))`,
    );
    this.addSql(
      'alter table assistant_groups add constraint assistant_groups_name_unique unique (user_id, kind, name)',
    );
    this.addSql(
      `alter table assistant_groups add constraint assistant_groups_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql(
      `alter table assistants add column folder_id bigint null, add column label_ids jsonb not null default '[]'`,
    );
    this.addSql(
      `alter table assistants add constraint assistants_folder_id_foreign
         foreign key (folder_id) references assistant_groups (id) on delete set null`,
    );
  }
}
