/** The leads of a campaign, page by page, each with an explanation of why it was or was not called. */
import type { LeadRecord, LeadStatus } from '@parley/contracts';
import { Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatLocalDateTime } from '../ui/format.rules.ts';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { isLeadStatus, leadStatusChoices } from './campaign-labels.rules.ts';
import { LeadExplanation } from './lead-explanation.tsx';
import { texts } from './texts.ts';

const PER_PAGE = 25;
/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;
/** How often the page is renewed while it is open, milliseconds. */
const RENEWAL_MS = 5_000;

const COLUMNS: readonly Column[] = [
  [texts.leads.columns.number],
  [texts.leads.columns.status],
  [texts.leads.columns.changed, table['mediumOnly']],
  [''],
];

function LeadRow({ lead, onAsk }: { lead: LeadRecord; onAsk: (lead: LeadRecord) => void }): ReactNode {
  return (
    <tr data-testid="lead-row">
      <td>
        {lead.phone_number}
        {lead.secondary_contacts.length > 0 && (
          <div className={table['under']}>{texts.leads.moreNumbers(lead.secondary_contacts.length)}</div>
        )}
      </td>
      <td>{texts.leadStatus[lead.status]}</td>
      <td className={`${table['minor']} ${table['mediumOnly']}`}>{formatLocalDateTime(lead.updated_at)}</td>
      <td className={table['number']}>
        <Button
          size="xs"
          variant="default"
          aria-label={texts.leads.whyLabel(lead.phone_number)}
          data-testid="lead-why"
          onClick={() => onAsk(lead)}
        >
          {texts.leads.why}
        </Button>
      </td>
    </tr>
  );
}

interface LeadPageProps {
  rows: readonly LeadRecord[];
  total: number;
  page: number;
  onPage: (page: number) => void;
  onAsk: (lead: LeadRecord) => void;
}

function LeadPage({ rows, total, page, onPage, onAsk }: LeadPageProps): ReactNode {
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.leads.empty}
      </Text>
    );
  return (
    <>
      <DataTable columns={COLUMNS}>
        {rows.map((lead) => (
          <LeadRow key={lead.id} lead={lead} onAsk={onAsk} />
        ))}
      </DataTable>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" data-testid="lead-total">
          {texts.leads.total(total)}
        </Text>
        <Pages total={Math.ceil(total / PER_PAGE)} current={page} onPage={onPage} />
      </Group>
    </>
  );
}

interface LeadFilter {
  status: LeadStatus | undefined;
  number: string;
  page: number;
}

function FilterBar({
  filter,
  onChange,
}: {
  filter: LeadFilter;
  onChange: (next: LeadFilter) => void;
}): ReactNode {
  return (
    <search>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={texts.leads.columns.status}
          value={filter.status ?? ''}
          data={[{ value: '', label: texts.leads.allStatuses }, ...leadStatusChoices]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...filter, status: isLeadStatus(value) ? value : undefined, page: 1 })
          }
        />
        <TextInput
          label={texts.leads.columns.number}
          placeholder={texts.leads.numberPlaceholder}
          type="search"
          inputMode="tel"
          value={filter.number}
          data-testid="lead-number"
          onChange={({ currentTarget: { value } }) => onChange({ ...filter, number: value, page: 1 })}
        />
      </Group>
    </search>
  );
}

const NO_FILTER: LeadFilter = { status: undefined, number: '', page: 1 };

/** One page of a campaign's leads. */
function leadsQuery(
  trpc: ReturnType<typeof useTRPC>,
  campaignId: number,
  { page, status, number }: LeadFilter,
) {
  return trpc.leads.list.queryOptions({
    campaign_id: campaignId,
    page,
    per_page: PER_PAGE,
    ...(status && { status }),
    ...(number && { phone_number: number }),
  });
}

/** Whether the first page of leads is still loading: the sections below it would move. */
export function useAreLeadsPending(campaignId: number): boolean {
  return useQuery(leadsQuery(useTRPC(), campaignId, NO_FILTER)).isPending;
}

/** Refreshes regularly, so that a running campaign can be watched. */
export function LeadsSection({ campaignId }: { campaignId: number }): ReactNode {
  const trpc = useTRPC();
  const [filter, setFilter] = useState<LeadFilter>(NO_FILTER);
  const [number] = useDebouncedValue(filter.number.trim(), TYPING_PAUSE_MS);
  const [asked, setAsked] = useState<LeadRecord | null>(null);
  const leads = useQuery({
    ...leadsQuery(trpc, campaignId, { ...filter, number }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  return (
    <Section title={texts.leads.title}>
      <Stack gap="md">
        <FilterBar filter={filter} onChange={setFilter} />
        <QueryView query={leads} pending={<Skeleton h={240} radius="lg" />}>
          {(data) => (
            <LeadPage
              {...data}
              page={filter.page}
              onPage={(page) => setFilter({ ...filter, page })}
              onAsk={setAsked}
            />
          )}
        </QueryView>
      </Stack>
      <Dialog title={asked?.phone_number ?? ''} isOpen={asked !== null} onClose={() => setAsked(null)}>
        {asked && <LeadExplanation leadId={asked.id} onClose={() => setAsked(null)} />}
      </Dialog>
    </Section>
  );
}
