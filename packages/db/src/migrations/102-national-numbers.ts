/** Numbers are written to a trunk as they are dialed in its country. */
import { Migration } from '@mikro-orm/migrations';

export class AddNationalNumbers extends Migration {
  override up(): void {
    this.addSql(
      `alter table trunks
         drop constraint trunks_number_format_check,
         add constraint trunks_number_format_check
           check (number_format in ('e164', 'e164_without_plus', 'national'))`,
    );
  }
}
