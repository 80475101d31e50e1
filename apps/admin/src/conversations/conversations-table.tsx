/** Written conversations as a table; each row leads to the page of its conversation. */
import type { WrittenConversationSummary } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Instant } from '../ui/instant.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { ConversationState } from './conversation-state.tsx';
import classes from './conversations-table.module.css';
import { customerName } from './customer-name.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;

const COLUMNS: readonly Column[] = [
  [columns.customer],
  [columns.state],
  [columns.assistant, table['mediumOnly']],
  [columns.messages, `${table['number']} ${table['wideOnly']}`],
  [columns.started, table['mediumOnly']],
];

function ConversationRow({ conversation }: { conversation: WrittenConversationSummary }): ReactNode {
  const { id, last_message: last } = conversation;
  return (
    <tr data-testid="conversation-row" data-status={conversation.status}>
      <td className={`${table['wrap']} ${classes['customer']}`}>
        <Link
          to="/conversations/$conversationId"
          params={{ conversationId: id }}
          className={table['rowLink'] ?? ''}
        >
          <PhoneNumber number={customerName(conversation)} />
        </Link>
        {last !== null && <div className={`${table['under']} ${classes['last']}`}>{last}</div>}
      </td>
      <td>
        <ConversationState conversation={conversation} />
        <div className={`${table['under']} ${table['narrowOnly']}`}>
          <Instant at={conversation.created_at} />
        </div>
      </td>
      <td className={`${table['wrap']} ${table['mediumOnly']}`}>{conversation.assistant_name}</td>
      <td className={`${table['number']} ${table['wideOnly']}`}>{conversation.message_count}</td>
      <td className={`${table['minor']} ${table['mediumOnly']}`}>
        <Instant at={conversation.created_at} />
      </td>
    </tr>
  );
}

/** One page of them. */
export function ConversationsTable({
  conversations,
}: {
  conversations: readonly WrittenConversationSummary[];
}): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {conversations.map((conversation) => (
        <ConversationRow key={conversation.id} conversation={conversation} />
      ))}
    </DataTable>
  );
}
