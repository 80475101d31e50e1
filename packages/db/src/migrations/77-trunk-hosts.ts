/** Trunks with several hosts, a port that DNS decides, a priority, and a separate user name for digest authentication. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkHosts extends Migration {
  override up(): void {
    this.addSql('alter table trunks alter column port drop not null');
    this.addSql(
      `alter table trunks add column other_hosts text[] not null default '{}',
         add column priority int not null default 50, add column auth_username text null`,
    );
  }
}
