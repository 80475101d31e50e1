/** How DTMF keys are sent on a trunk. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkDtmf extends Migration {
  override up(): void {
    this.addSql("alter table trunks add column dtmf text not null default 'auto'");
    this.addSql(
      "alter table trunks add constraint trunks_dtmf_check check (dtmf in ('auto', 'rfc4733', 'info', 'inband'))",
    );
  }
}
