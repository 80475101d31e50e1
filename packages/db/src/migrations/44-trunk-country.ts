/** The country in which the numbers of a trunk's inbound calls are read. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkCountry extends Migration {
  override up(): void {
    this.addSql('alter table trunks add column default_country text null');
  }
}
