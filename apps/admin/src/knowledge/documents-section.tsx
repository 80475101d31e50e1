/** The documents of a knowledge base: add, follow their state, delete. */
import type { DocumentRecord } from '@parley/contracts';
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AddButton } from '../ui/add-button.tsx';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const DocumentForm = later(() => import('./document-form.tsx'), 'DocumentForm');

/** How often the list is asked for while a document is being read, milliseconds. */
const READING_MS = 1_000;

const COLUMNS: readonly Column[] = [
  [texts.documents.columns.name],
  [texts.documents.columns.state],
  [texts.documents.columns.passages, table['mediumOnly']],
  [''],
];

interface RowProps {
  knowledgebaseId: number;
  document: DocumentRecord;
}

function RemoveButton({ knowledgebaseId, document: { id, name } }: RowProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.documents.remove.mutate({ knowledgebase_id: knowledgebaseId, id });
    await refresh('documents', 'knowledgebases');
  };
  return (
    <AskFirst
      action={texts.removeDocument.action}
      label={texts.removeDocument.label(name)}
      question={texts.removeDocument.question(name)}
      text={texts.removeDocument.text}
      keep={texts.removeDocument.keep}
      testId="document-remove"
      run={remove}
    />
  );
}

function DocumentRow({ knowledgebaseId, document }: RowProps): ReactNode {
  const { name, type_label: type, characters_count: characters, links, status, error } = document;
  const about = [type, ...links.map(({ link }) => link)].join(' · ');
  return (
    <tr data-testid="document-row" data-state={status}>
      <td className={table['wrap']}>
        {name}
        <div className={`${table['under']} ${table['anywhere']}`}>{about}</div>
      </td>
      <td className={table['wrap']}>
        {texts.documents.status[status]}
        {error !== null && <div className={table['under']}>{error}</div>}
      </td>
      <td className={table['mediumOnly']}>
        {document.chunks_count.toLocaleString('en')}
        <div className={table['under']}>{texts.documents.characters(characters)}</div>
      </td>
      <td className={table['number']}>
        <RowActions>
          <RemoveButton knowledgebaseId={knowledgebaseId} document={document} />
        </RowActions>
      </td>
    </tr>
  );
}

interface DocumentsProps {
  knowledgebaseId: number;
  documents: readonly DocumentRecord[];
}

function Documents({ knowledgebaseId, documents }: DocumentsProps): ReactNode {
  if (documents.length === 0)
    return <EmptyState icon={<IconFileText size={24} stroke={1.5} />} {...texts.documents.empty} />;
  return (
    <DataTable columns={COLUMNS}>
      {documents.map((document) => (
        <DocumentRow key={document.id} knowledgebaseId={knowledgebaseId} document={document} />
      ))}
    </DataTable>
  );
}

/** Refreshes while a document is being read. */
export function DocumentsSection({ knowledgebaseId }: { knowledgebaseId: number }): ReactNode {
  const trpc = useTRPC();
  const [isOpen, dialog] = useDisclosure(false);
  const documents = useQuery({
    ...trpc.documents.list.queryOptions({ id: knowledgebaseId }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'processing') ? READING_MS : false,
  });
  return (
    <Section
      title={texts.documents.title}
      aside={<AddButton label={texts.documents.add} isSmall testId="new-document" onClick={dialog.open} />}
    >
      <QueryView query={documents} pending={<Skeleton h={160} radius="lg" />}>
        {(data) => <Documents knowledgebaseId={knowledgebaseId} documents={data} />}
      </QueryView>
      <Dialog title={texts.documents.add} isOpen={isOpen} onClose={dialog.close}>
        <DocumentForm knowledgebaseId={knowledgebaseId} onDone={dialog.close} />
      </Dialog>
    </Section>
  );
}
