/** The other numbers of a lead, in the order in which they are called. */
import type { SecondaryContactRecord } from '@parley/contracts';
import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { RowButton } from '../ui/row-button.tsx';
import { Section } from '../ui/section.tsx';
import { LeadForm } from './lead-form.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [[texts.contacts.columns.number], [texts.contacts.columns.state], ['']];

interface ContactRowProps {
  contact: SecondaryContactRecord;
  onEdit: () => void;
}

function ContactRow({ contact: { id, phone_number: number, status }, onEdit }: ContactRowProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.leads.remove.mutate({ id });
    await refresh('leads');
  };
  return (
    <tr data-testid="contact-row">
      <td>
        <PhoneNumber number={number} />
      </td>
      <td>{texts.contacts.statuses[status]}</td>
      <td className={table['number']}>
        <RowActions>
          <RowButton
            action={texts.page.edit}
            label={texts.contacts.editLabel(number)}
            testId="contact-edit"
            onClick={onEdit}
          />
          <AskFirst
            action={texts.remove.action}
            label={texts.contacts.removeLabel(number)}
            question={texts.contacts.question(number)}
            text={texts.contacts.removal}
            keep={texts.remove.keep}
            testId="contact-remove"
            run={remove}
          />
        </RowActions>
      </td>
    </tr>
  );
}

/** Renders nothing for a lead with one number. */
export function LeadContacts({ contacts }: { contacts: readonly SecondaryContactRecord[] }): ReactNode {
  const [edited, setEdited] = useState<SecondaryContactRecord | null>(null);
  const close = (): void => setEdited(null);
  if (contacts.length === 0) return null;
  return (
    <Section title={texts.contacts.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.contacts.text}
      </Text>
      <DataTable columns={COLUMNS}>
        {contacts.map((contact) => (
          <ContactRow key={contact.id} contact={contact} onEdit={() => setEdited(contact)} />
        ))}
      </DataTable>
      <Dialog title={edited?.phone_number ?? ''} isOpen={edited !== null} onClose={close}>
        {edited && <LeadForm lead={edited} onDone={close} />}
      </Dialog>
    </Section>
  );
}
