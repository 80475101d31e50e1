/** How many calls a voice process takes for the present, which may be fewer than its capacity. */
import { Migration } from '@mikro-orm/migrations';

export class AddAdmittedCalls extends Migration {
  override up(): void {
    this.addSql(`alter table voice_processes add column admitted_calls int`);
  }
}
