/** How numbers are written to a trunk. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkNumberFormat extends Migration {
  override up(): void {
    this.addSql("alter table trunks add column number_format text not null default 'e164'");
    this.addSql(
      "alter table trunks add constraint trunks_number_format_check check (number_format in ('e164', 'e164_without_plus'))",
    );
  }
}
