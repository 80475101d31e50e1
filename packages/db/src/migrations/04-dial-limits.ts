/** How much may be dialed in a second and in a day, by user, API token and trunk. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class CreateDialLimits extends Migration {
  override up(): void {
    this.addSql(readSql('tables/dial-limits'));
  }
}
