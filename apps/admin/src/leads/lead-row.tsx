/** One row of the table of leads: shown, or edited in place. */
import type { LeadSummary } from '@parley/contracts';
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { OutcomePill } from '../calls/outcome-pill.tsx';
import { useTRPCClient } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import table from '../ui/data-table.module.css';
import { FormFailure } from '../ui/form-failure.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { toLeadChanges } from './lead-draft.rules.ts';
import { STATUSES } from './lead-form.tsx';
import { leadName, nameVariable } from './lead-name.rules.ts';
import classes from './lead-row.module.css';
import { texts } from './texts.ts';

function LastCall({ call }: { call: LeadSummary['last_call'] }): ReactNode {
  if (call === null) return '–';
  return (
    <>
      {call.outcome === null ? texts.list.inCall : <OutcomePill outcome={call.outcome} />}
      <div className={table['under']}>{formatInstant(call.at)}</div>
    </>
  );
}

interface CellsProps {
  lead: LeadSummary;
  hasName: boolean;
  hasCampaign: boolean;
}

function CampaignCell({ lead }: Pick<CellsProps, 'lead'>): ReactNode {
  return <td className={`${table['mediumOnly']} ${table['wrap']}`}>{lead.campaign.name}</td>;
}

function LastCallCell({ lead }: Pick<CellsProps, 'lead'>): ReactNode {
  return (
    <td className={table['mediumOnly']}>
      <LastCall call={lead.last_call} />
    </td>
  );
}

function ShownCells({ lead, hasName, hasCampaign }: CellsProps): ReactNode {
  return (
    <>
      <td>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={table['rowLink'] ?? ''}>
          <PhoneNumber number={lead.phone_number} />
        </Link>
        {lead.secondary_contacts.length > 0 && (
          <div className={table['under']}>{texts.list.moreNumbers(lead.secondary_contacts.length)}</div>
        )}
      </td>
      {hasName && (
        <td className={`${table['mediumOnly']} ${table['wrap']}`}>{leadName(lead.variables) || '–'}</td>
      )}
      {hasCampaign && <CampaignCell lead={lead} />}
      <td className={table['wrap']}>{texts.states[lead.state]}</td>
      <LastCallCell lead={lead} />
    </>
  );
}

/** Sends only what was edited. */
function useRowForm(lead: LeadSummary, onDone: () => void) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const variable = nameVariable(lead.variables);
  const form = useForm({
    initialValues: { phone_number: lead.phone_number, status: lead.status, name: leadName(lead.variables) },
    clearInputErrorOnChange: true,
  });
  const save = useMutation({
    mutationFn: async ({ name, ...draft }: typeof form.values) => {
      const isNamed = name !== leadName(lead.variables);
      const variables = isNamed ? [{ name: variable, value: name }] : [];
      const changes = toLeadChanges({ ...draft, variables }, lead);
      if (Object.keys(changes).length > 0) await client.leads.update.mutate({ id: lead.id, changes });
    },
    onSuccess: onDone,
    onError: (error) => form.setErrors(firstMessages(readRequestError(error).fields)),
    onSettled: () => refresh('leads', 'campaigns'),
  });
  return { form, save };
}

interface SaveCellProps {
  isPending: boolean;
  onSave: () => void;
  onCancel: () => void;
}

function SaveCell({ isPending, onSave, onCancel }: SaveCellProps): ReactNode {
  return (
    <td className={table['mediumOnly']}>
      <span className={table['actions']}>
        <ActionIcon
          variant="filled"
          aria-label={texts.form.save}
          loading={isPending}
          data-testid="row-save"
          onClick={onSave}
        >
          <IconCheck size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={texts.bulk.cancel}
          data-testid="row-cancel"
          onClick={onCancel}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </span>
    </td>
  );
}

/** Enter saves, Escape leaves everything as it was. */
function EditedCells({ onDone, ...cells }: CellsProps & { onDone: () => void }): ReactNode {
  const { lead, hasName, hasCampaign } = cells;
  const { form, save } = useRowForm(lead, onDone);
  const number = useRef<HTMLInputElement>(null);
  useEffect(() => number.current?.select(), []);
  const submit = (): void => {
    if (!save.isPending) save.mutate(form.values);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') submit();
    else if (event.key === 'Escape') onDone();
    else return;
    event.preventDefault();
  };
  const input = { size: 'xs', onKeyDown } as const;
  return (
    <>
      <td className={classes['edited']}>
        <TextInput
          {...input}
          ref={number}
          type="tel"
          autoComplete="off"
          aria-label={texts.list.columns.number}
          data-testid="row-number"
          {...form.getInputProps('phone_number')}
        />
        <FormFailure error={save.error} fields={['phone_number', 'status']} />
      </td>
      {hasName && (
        <td className={`${classes['edited']} ${table['mediumOnly']}`}>
          <TextInput
            {...input}
            aria-label={texts.list.columns.name}
            data-testid="row-name"
            {...form.getInputProps('name')}
          />
        </td>
      )}
      {hasCampaign && <CampaignCell lead={lead} />}
      <td className={classes['edited']}>
        <NativeSelect
          {...input}
          aria-label={texts.list.columns.state}
          data={STATUSES}
          data-testid="row-status"
          {...form.getInputProps('status')}
        />
      </td>
      <LastCallCell lead={lead} />
      <SaveCell isPending={save.isPending} onSave={submit} onCancel={onDone} />
    </>
  );
}

interface LeadRowProps extends CellsProps {
  isEditable: boolean;
  /** The cell that selects it. */
  select: ReactNode;
}

/** The pencil appears with the pointer or the focus, and gets the focus back. */
export function LeadRow({ isEditable, select, ...cells }: LeadRowProps): ReactNode {
  const { lead } = cells;
  const [isEdited, setIsEdited] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const close = (): void => {
    setIsEdited(false);
    setWasEdited(true);
  };
  return (
    <tr className={classes['row']} data-testid="lead-row" data-state={lead.state}>
      {select}
      {isEdited ? <EditedCells {...cells} onDone={close} /> : <ShownCells {...cells} />}
      {isEditable && !isEdited && (
        <td className={table['mediumOnly']}>
          <span className={table['actions']}>
            <ActionIcon
              className={`${classes['pencil']} ${table['aboveLink']}`}
              variant="default"
              aria-label={texts.list.editRow(lead.phone_number)}
              autoFocus={wasEdited}
              data-testid="row-edit"
              onClick={() => setIsEdited(true)}
            >
              <IconPencil size={16} stroke={1.8} aria-hidden />
            </ActionIcon>
          </span>
        </td>
      )}
    </tr>
  );
}
