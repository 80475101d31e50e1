/** Attempts per number: when each number was dialed, and how often an account may dial one. */
import { Migration } from '@mikro-orm/migrations';

export class CreateNumberAttempts extends Migration {
  override up(): void {
    this.addSql(
      `create table number_attempts (
         user_id bigint not null, phone_number text not null, at timestamptz(6) not null,
         primary key (user_id, phone_number, at)
       )`,
    );
    this.addSql(
      `alter table number_attempts add constraint number_attempts_user_id_foreign
         foreign key (user_id) references users (id) on delete cascade`,
    );
    this.addSql('create index number_attempts_at_index on number_attempts (at)');
    this.addSql(
      `alter table users add column max_attempts_per_number_per_day int null,
         add column max_attempts_per_number_per_week int null`,
    );
  }
}
