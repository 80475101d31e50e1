/** What is removed from the words of an assistant's calls. */
import { Migration } from '@mikro-orm/migrations';

export class AddRedaction extends Migration {
  override up(): void {
    this.addSql(`alter table assistants add column redact text[] not null default '{}'`);
  }
}
