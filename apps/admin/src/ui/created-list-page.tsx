/** A page with a list of what users create in a dialog: campaigns, knowledge bases, suites. */
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AddButton } from './add-button.tsx';
import { Dialog } from './dialog.tsx';
import { EmptyState } from './empty-state.tsx';
import { PageHeader } from './page-header.tsx';
import { QueryView } from './query-view.tsx';

interface CreatedListTexts {
  title: string;
  subtitle: string;
  /** The button and the title of the dialog. */
  new: string;
  empty: { title: string; text: string };
}

interface CreatedListPageProps<Row> {
  texts: CreatedListTexts;
  /** Shown while there are no rows. */
  icon: ReactNode;
  /** The test id of the button. */
  testId: string;
  list: UseQueryResult<readonly Row[], unknown>;
  table: (rows: readonly Row[]) => ReactNode;
  form: (onDone: () => void) => ReactNode;
  /** Whether the dialog is wide. */
  isWide?: boolean;
  /** Below the list. */
  children?: ReactNode;
}

/** The button is in the header, or in the middle of the page while there are no rows. */
export function CreatedListPage<Row>(props: CreatedListPageProps<Row>): ReactNode {
  const { texts, icon, testId, list, table, form, isWide = false, children } = props;
  const [isOpen, dialog] = useDisclosure(false);
  const add = <AddButton label={texts.new} testId={testId} onClick={dialog.open} />;
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={list.data && list.data.length > 0 && add}
      />
      <QueryView query={list} pending={<Skeleton h={240} radius="lg" />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={icon} title={texts.empty.title} text={texts.empty.text}>
              {add}
            </EmptyState>
          ) : (
            table(rows)
          )
        }
      </QueryView>
      {children}
      <Dialog title={texts.new} isOpen={isOpen} onClose={dialog.close} isWide={isWide}>
        {form(dialog.close)}
      </Dialog>
    </>
  );
}
