/** When the initial message of an outbound call begins, and whether the callee can interrupt it. */
import { Migration } from '@mikro-orm/migrations';

export class AddInitialMessageSettings extends Migration {
  override up(): void {
    this.addSql(
      `alter table assistants add column initial_message_delay_seconds numeric not null default 1,
         add column is_initial_message_interruptible boolean not null default true`,
    );
  }
}
