/** Which countries and which kinds of numbers may be dialed. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class CreateDialPolicy extends Migration {
  override up(): void {
    this.addSql(readSql('tables/dial-policy'));
  }
}
