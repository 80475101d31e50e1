/** Tools of an account, and the assistants that use them. */
import { Migration } from '@mikro-orm/migrations';

export class CreateTools extends Migration {
  override up(): void {
    this.addSql(
      `create table tools (
         id bigserial primary key, user_id bigint not null, tool jsonb not null,
         created_at timestamptz(6) not null, updated_at timestamptz(6) not null
       )`,
    );
    this.addSql(
      `alter table tools add constraint tools_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('create index tools_user_id_id_index on tools (user_id, id)');
    this.addSql(`alter table assistants add column tool_ids jsonb not null default '[]'`);
  }
}
