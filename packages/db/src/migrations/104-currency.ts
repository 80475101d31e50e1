/** The currency of all prices and costs of the installation. One row; without it they have none. */
import { Migration } from '@mikro-orm/migrations';

export class AddCurrency extends Migration {
  override up(): void {
    this.addSql(
      `create table price_settings (
         id int primary key, currency text null,
         constraint price_settings_id_check check (id = 1)
       )`,
    );
  }
}
