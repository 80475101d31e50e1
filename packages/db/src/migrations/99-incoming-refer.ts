/** Whether the far end of a trunk may refer calls to other parties (RFC 3515). */
import { Migration } from '@mikro-orm/migrations';

export class AddIncomingRefer extends Migration {
  override up(): void {
    this.addSql(
      `alter table trunks add column incoming_refer text not null default 'refused'
         constraint trunks_incoming_refer_check
         check (incoming_refer in ('refused', 'numbers', 'numbers_and_extensions'))`,
    );
  }
}
