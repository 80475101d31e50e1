/** The list of knowledge bases. */
import type { KnowledgebaseRecord } from '@parley/contracts';
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBooks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AddButton } from '../ui/add-button.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
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

function Bases({ bases, onNew }: { bases: readonly KnowledgebaseRecord[]; onNew: () => void }): ReactNode {
  if (bases.length === 0)
    return (
      <EmptyState icon={<IconBooks size={24} stroke={1.5} />} {...texts.list.empty}>
        <AddButton label={texts.list.new} testId="new-knowledge" onClick={onNew} />
      </EmptyState>
    );
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
  const trpc = useTRPC();
  const bases = useQuery(trpc.knowledgebases.list.queryOptions());
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title={texts.list.title}
        subtitle={texts.list.subtitle}
        actions={
          bases.data &&
          bases.data.length > 0 && (
            <AddButton label={texts.list.new} testId="new-knowledge" onClick={dialog.open} />
          )
        }
      />
      <QueryView query={bases} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => <Bases bases={data} onNew={dialog.open} />}
      </QueryView>
      <Dialog title={texts.list.new} isOpen={isOpen} onClose={dialog.close}>
        <BaseForm onDone={dialog.close} />
      </Dialog>
    </>
  );
}
