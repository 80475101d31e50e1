/** Rate limits that all api processes count together. */
import { Migration } from '@mikro-orm/migrations';

export class CreateRateLimitWindows extends Migration {
  override up(): void {
    // Unlogged: what is lost in a crash of Postgres is the count of one minute. The free space in each page lets updates
    // stay in the page of their row.
    this.addSql(
      `create unlogged table rate_limit_windows (
         key bytea not null, started_at timestamptz(6) not null, used int not null,
         primary key (key)
       ) with (fillfactor = 50)`,
    );
  }
}
