/** A trunk may set how long its calls continue without RTP from the far end. */
import { Migration } from '@mikro-orm/migrations';

export class AddRtpTimeout extends Migration {
  override up(): void {
    this.addSql('alter table trunks add column rtp_timeout_seconds int null');
  }
}
