/**
 * What a voice process can hear by: so that the admin app says which recognition there is.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class AddHearingOfVoiceProcesses extends Migration {
  override up(): void {
    this.addSql(`
      alter table voice_processes
        add column detector text not null default 'silero',
        add column recognised_languages jsonb not null default '{}'::jsonb;
      alter table voice_processes add constraint voice_processes_detector_check check (detector in ('silero', 'energy'));
    `);
  }
}
