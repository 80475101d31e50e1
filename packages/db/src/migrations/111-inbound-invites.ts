/**
 * Two inbound calls may have one Call-ID: their INVITEs differ in the From tag or the CSeq number (RFC 3261 sections 8.2.2.2
 * and 12).
 */
import { Migration } from '@mikro-orm/migrations';

export class AddInboundInvites extends Migration {
  override up(): void {
    this.addSql(
      `alter table live_calls
         add column sip_invite text not null default '',
         drop constraint live_calls_sip_call_id_unique,
         add constraint live_calls_sip_call_id_sip_invite_unique unique (sip_call_id, sip_invite)`,
    );
  }
}
