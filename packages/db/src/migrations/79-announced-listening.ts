/** Whether customers are told when somebody listens in. */
import { Migration } from '@mikro-orm/migrations';

export class AddAnnouncedListening extends Migration {
  override up(): void {
    this.addSql('alter table users add column announces_listening boolean not null default true');
  }
}
