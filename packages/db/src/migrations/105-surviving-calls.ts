/** What another process needs to go on with a live call whose voice process is lost. */
import { Migration } from '@mikro-orm/migrations';

export class AddCallProgress extends Migration {
  override up(): void {
    this.addSql(
      `create table call_progress (
         call_id bigint not null primary key, progress jsonb not null, updated_at timestamptz(6) not null,
         constraint call_progress_call_id_foreign
           foreign key (call_id) references live_calls (call_id)
             on update cascade on delete cascade
       )`,
    );
    this.addSql('alter table live_calls add column take_overs integer not null default 0');
  }
}
