/** Above the leads: what is selected, what can be done with it, and the export of the filter. */
import type { LeadsAction } from '@parley/contracts';
import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { leadQuery, type LeadSearch } from './lead-search.rules.ts';
import { countSelected, type LeadSelection } from './lead-selection.rules.ts';
import { texts } from './texts.ts';
import { type Progress, useChangeLeads } from './use-change-leads.ts';

type ActionType = LeadsAction['type'];

const ACTIONS: readonly ActionType[] = ['restart', 'end', 'move', 'delete'];

interface SelectedLeads {
  selection: LeadSelection;
  search: LeadSearch;
  /** Leads of the filter. */
  total: number;
}

function Result({ progress: { changed, refused, reason } }: { progress: Progress }): ReactNode {
  return (
    <Alert
      color={refused === 0 ? 'teal' : 'yellow'}
      variant="light"
      role="status"
      data-testid="leads-changed"
      title={texts.bulk.done(changed)}
    >
      {refused > 0 && texts.bulk.refused(refused, reason ?? '')}
    </Alert>
  );
}

function CampaignSelect({ value, onPick }: { value: string; onPick: (id: string) => void }): ReactNode {
  const campaigns = useQuery(useTRPC().campaigns.list.queryOptions()).data ?? [];
  return (
    <NativeSelect
      label={texts.bulk.target}
      value={value}
      data={[
        { value: '', label: texts.form.campaign.choose },
        ...campaigns.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      data-testid="leads-target"
      onChange={(event) => onPick(event.currentTarget.value)}
    />
  );
}

interface ConfirmationProps extends SelectedLeads {
  type: ActionType;
  /** `isChanged`: something was done. */
  onClose: (isChanged: boolean) => void;
}

function Confirmation({ type, selection, search, total, onClose }: ConfirmationProps): ReactNode {
  const [campaignId, setCampaignId] = useState('');
  // The selection at the time of the question: the list goes on changing.
  const [asked] = useState({ selection, count: countSelected(selection, total) });
  const change = useChangeLeads();
  const { progress } = change;
  const action: LeadsAction = type === 'move' ? { type, campaign_id: Number(campaignId) } : { type };
  const run = (): void => change.mutate({ selection: asked.selection, search, action });
  const isBegun = !change.isIdle;
  return (
    <Stack gap="md">
      <Text size="sm">{texts.bulk.texts[type](asked.count)}</Text>
      {type === 'move' && !isBegun && <CampaignSelect value={campaignId} onPick={setCampaignId} />}
      <FormFailure error={change.error} fields={[]} />
      {change.isPending && (
        <Text size="sm" role="status">
          {texts.bulk.progress(progress.changed + progress.refused, asked.count)}
        </Text>
      )}
      {isBegun && !change.isPending && <Result progress={progress} />}
      <Group justify="flex-end">
        {change.isPending ? (
          <Button variant="default" onClick={change.stop}>
            {texts.bulk.stop}
          </Button>
        ) : (
          <Button variant="default" data-testid="leads-close" onClick={() => onClose(isBegun)}>
            {isBegun ? texts.bulk.close : texts.bulk.cancel}
          </Button>
        )}
        {!isBegun && (
          <Button
            {...(type === 'delete' && { color: 'red' })}
            disabled={type === 'move' && campaignId === ''}
            data-testid={`leads-${type}-confirm`}
            onClick={run}
          >
            {texts.bulk.confirm[type](asked.count)}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface LeadsToolbarProps extends SelectedLeads {
  onSelect: (selection: LeadSelection) => void;
}

function exportPath(search: LeadSearch): string {
  const query = new URLSearchParams(
    Object.entries(leadQuery(search)).map(([name, value]) => [name, String(value)]),
  );
  return `/lead-files/export?${query.toString()}`;
}

interface SelectionBarProps extends LeadsToolbarProps {
  onAct: (type: ActionType) => void;
}

/** The actions appear when leads are selected. */
function SelectionBar({ selection, total, onSelect, onAct }: SelectionBarProps): ReactNode {
  const count = countSelected(selection, total);
  const isAll = selection === 'all';
  return (
    <Group gap="sm">
      <Checkbox
        label={count === 0 ? texts.bulk.selectAll(total) : texts.bulk.selected(count)}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        data-testid="leads-select-all"
        onChange={() => onSelect(isAll ? new Set() : 'all')}
      />
      {count > 0 &&
        ACTIONS.map((action) => (
          <Button
            key={action}
            size="xs"
            variant="default"
            data-testid={`leads-${action}`}
            onClick={() => onAct(action)}
          >
            {texts.bulk.actions[action]}
          </Button>
        ))}
    </Group>
  );
}

/** What is selected, with its actions, and the export. */
export function LeadsToolbar(props: LeadsToolbarProps): ReactNode {
  const { selection, search, total, onSelect } = props;
  const [type, setType] = useState<ActionType | null>(null);
  const close = (isChanged: boolean): void => {
    setType(null);
    if (isChanged) onSelect(new Set());
  };
  return (
    <Group justify="space-between" mb="sm" gap="sm">
      <SelectionBar {...props} onAct={setType} />
      <Button
        component="a"
        href={exportPath(search)}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
        data-testid="leads-export"
      >
        {texts.bulk.export}
      </Button>
      <Dialog
        title={type === null ? '' : texts.bulk.actions[type]}
        isOpen={type !== null}
        onClose={() => setType(null)}
      >
        {type !== null && (
          <Confirmation type={type} selection={selection} search={search} total={total} onClose={close} />
        )}
      </Dialog>
    </Group>
  );
}
