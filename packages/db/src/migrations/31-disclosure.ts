/** The sentences that are spoken before anything else in a call, of an assistant and of a campaign. */
import { Migration } from '@mikro-orm/migrations';

export class AddDisclosureMessages extends Migration {
  override up(): void {
    this.addSql('alter table assistants add column disclosure_message text null');
    this.addSql('alter table campaigns add column disclosure_message text null');
  }
}
