/** The list of knowledge bases. */
import type { KnowledgebaseRecord } from '@parley/contracts';
import { IconBooks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { CreatedListPage } from '../ui/created-list-page.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const BaseForm = later(() => import('./base-form.tsx'), 'BaseForm');

const COLUMNS: readonly Column[] = [
  [texts.list.columns.name],
  [texts.list.columns.state],
  [texts.list.columns.documents, table['mediumOnly']],
  [texts.list.columns.assistants, table['mediumOnly']],
];

function BaseRow({ base }: { base: KnowledgebaseRecord }): ReactNode {
  return (
    <tr data-testid="knowledge-row" data-state={base.status}>
      <td className={table['wrap']}>
        <Link
          to="/knowledge/$knowledgebaseId"
          params={{ knowledgebaseId: base.id }}
          className={table['rowLink'] ?? ''}
        >
          {base.name}
        </Link>
        {base.description !== null && <div className={table['under']}>{base.description}</div>}
      </td>
      <td>{texts.status[base.status]}</td>
      <td className={table['mediumOnly']}>{base.documents_count}</td>
      <td className={table['mediumOnly']}>{base.assistants_count}</td>
    </tr>
  );
}

function BasesTable({ bases }: { bases: readonly KnowledgebaseRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {bases.map((base) => (
        <BaseRow key={base.id} base={base} />
      ))}
    </DataTable>
  );
}

/** The page at `/knowledge`. */
export function KnowledgePage(): ReactNode {
  const bases = useQuery(useTRPC().knowledgebases.list.queryOptions());
  return (
    <CreatedListPage
      texts={texts.list}
      icon={<IconBooks size={24} stroke={1.5} />}
      testId="new-knowledge"
      list={bases}
      table={(rows) => <BasesTable bases={rows} />}
      form={(onDone) => <BaseForm onDone={onDone} />}
    />
  );
}
