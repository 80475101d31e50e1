/** Runs by their suite: the newest one of each is listed, and a suite that is deleted leaves its runs. */
import { Migration } from '@mikro-orm/migrations';

export class IndexRunsOfSuites extends Migration {
  override up(): void {
    this.addSql(
      'create index suite_runs_suite_id_id_index on suite_runs (suite_id, id) where suite_id is not null',
    );
    this.addSql(
      `update suite_runs set suite_id = null
       where suite_id is not null and not exists (select 1 from suites s where s.id = suite_runs.suite_id)`,
    );
  }
}
