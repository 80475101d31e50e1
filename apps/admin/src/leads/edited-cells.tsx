/** The cells of a lead that is edited in its row. */
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { LeadSummary } from '@parley/contracts';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import table from '../ui/data-table.module.css';
import { FormFailure } from '../ui/form-failure.tsx';
import { toLeadChanges } from './lead-draft.rules.ts';
import { CampaignCell, type CellsProps, LastCallCell } from './lead-cells.tsx';
import { STATUSES } from './lead-form.tsx';
import { leadName, nameVariable } from './lead-name.rules.ts';
import classes from './lead-row.module.css';
import { texts } from './texts.ts';

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
    onError: showFaults(form),
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
export function EditedCells({ onDone, ...cells }: CellsProps & { onDone: () => void }): ReactNode {
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
