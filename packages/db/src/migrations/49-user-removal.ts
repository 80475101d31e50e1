/** When an operator asked for the removal of a user, whose data a job then deletes. */
import { Migration } from '@mikro-orm/migrations';

export class AddUserRemoval extends Migration {
  override up(): void {
    this.addSql('alter table users add column removal_requested_at timestamptz(6) null');
  }
}
