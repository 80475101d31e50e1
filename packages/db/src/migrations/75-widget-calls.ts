/** The calls of visitors of web pages in the last hour, for the limits of widgets. */
import { Migration } from '@mikro-orm/migrations';

export class CreateWidgetCalls extends Migration {
  override up(): void {
    this.addSql(
      `create table widget_calls (
         call_id bigint not null, user_id bigint not null, assistant_id bigint not null, visitor bytea not null,
         placed_at timestamptz(6) not null,
         primary key (call_id)
       )`,
    );
    this.addSql(
      `alter table widget_calls add constraint widget_calls_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql(
      `alter table widget_calls add constraint widget_calls_assistant_id_foreign
         foreign key (assistant_id) references assistants (id) on delete cascade`,
    );
    this.addSql(
      'create index widget_calls_assistant_id_placed_at_index on widget_calls (assistant_id, placed_at)',
    );
    this.addSql('create index widget_calls_placed_at_index on widget_calls (placed_at)');
    this.addSql('create index widget_calls_user_id_index on widget_calls (user_id)');
  }
}
