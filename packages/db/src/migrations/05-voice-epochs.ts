/** Removes the epochs of voice processes: the id of a process is new at each registration, so it excludes predecessors alone. */
import { Migration } from '@mikro-orm/migrations';

export class DropVoiceEpochs extends Migration {
  override up(): void {
    this.addSql('alter table live_calls drop column voice_epoch');
    this.addSql('alter table voice_processes drop column epoch');
    this.addSql('drop sequence voice_epochs');
  }
}
