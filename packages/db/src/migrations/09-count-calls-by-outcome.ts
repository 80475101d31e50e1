/** Settled calls are counted by outcome too, so that lists can be filtered by it and campaigns can add it up. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class CountCallsByOutcome extends Migration {
  override up(): void {
    this.addSql(readSql('functions/count-calls-by-outcome'));
  }
}
