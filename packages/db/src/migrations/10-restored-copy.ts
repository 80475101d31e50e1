/** Marks an installation that was restored from a backup and is not armed yet. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class CreateRestoredCopy extends Migration {
  override up(): void {
    this.addSql(readSql('tables/restored-copy'));
  }
}
