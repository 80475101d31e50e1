/** People end written conversations in the admin app. */
import { Migration } from '@mikro-orm/migrations';

export class AllowPersonEndedConversation extends Migration {
  override up(): void {
    this.addSql(
      `alter table written_conversations
         drop constraint written_conversations_ended_reason_check,
         add constraint written_conversations_ended_reason_check
           check (ended_reason in ('assistant_ended', 'inactivity', 'person_ended')) not valid`,
    );
  }
}
