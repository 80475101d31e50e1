/** Entries of the do-not-call list name the call in which they were requested, and an assistant may offer a key for it. */
import { Migration } from '@mikro-orm/migrations';

export class AddOptOut extends Migration {
  override up(): void {
    this.addSql('alter table do_not_call add column call_id bigint null');
    this.addSql('alter table assistants add column opt_out_key text null');
  }
}
