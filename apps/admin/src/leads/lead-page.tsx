/** One lead: what happens next and why, every attempt, its other numbers and its variables. */
import type { LeadAttempts, LeadSummary } from '@parley/contracts';
import { Button, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { describeValue } from '../calls/describe-value.rules.ts';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAccountZone } from '../session/use-account-zone.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts, type Fact } from '../ui/facts.tsx';
import { instantOfLocal } from '../ui/format.rules.ts';
import { FullInstant } from '../ui/instant.tsx';
import { BackLink, TextLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import columns from '../ui/two-columns.module.css';
import { LeadAttemptsTable } from './lead-attempts.tsx';
import { LeadContacts } from './lead-contacts.tsx';
import { LeadForm } from './lead-form.tsx';
import { verdictHeadline } from './lead-labels.rules.ts';
import { leadName } from './lead-name.rules.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/leads/$leadId');

/** How often the lead is renewed while its page is open, milliseconds. */
const RENEWAL_MS = 3_000;

const LEADS_LINK = <BackLink to="/leads">{texts.page.back}</BackLink>;

function NextAttempt({ now }: Pick<LeadAttempts, 'now'>): ReactNode {
  const facts: Fact[] = [
    [texts.next.number, now.phone_number !== null && <PhoneNumber number={now.phone_number} />],
    [texts.next.round, now.round],
  ];
  return (
    <Section title={texts.next.title}>
      <div data-testid="lead-verdict">
        <Text size="sm" fw={500}>
          {verdictHeadline(now)}
        </Text>
        <Text size="sm" c="dimmed" mb="md">
          {now.explanation}
        </Text>
      </div>
      {now.phone_number !== null && <Facts facts={facts} layout="columns" />}
    </Section>
  );
}

function Variables({ variables }: Pick<LeadSummary, 'variables'>): ReactNode {
  const entries = Object.entries(variables);
  return (
    <Section title={texts.page.variables}>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.page.noVariables}
        </Text>
      ) : (
        <Facts facts={entries.map(([name, value]) => [name, describeValue(value)])} />
      )}
    </Section>
  );
}

function Details({ lead }: { lead: LeadSummary }): ReactNode {
  const zone = useAccountZone();
  const campaign = (
    <TextLink to="/campaigns/$campaignId" params={{ campaignId: lead.campaign_id }} size="sm">
      {lead.campaign.name}
    </TextLink>
  );
  return (
    <Section title={texts.page.facts}>
      <Facts
        facts={[
          [texts.page.campaign, campaign],
          [texts.page.added, <FullInstant key="added" at={instantOfLocal(lead.created_at, zone)} />],
          [texts.page.changed, <FullInstant key="changed" at={instantOfLocal(lead.updated_at, zone)} />],
        ]}
      />
    </Section>
  );
}

function Actions({ lead }: { lead: LeadSummary }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const remove = async (): Promise<void> => {
    await client.leads.remove.mutate({ id: lead.id });
    await navigate({ to: '/leads', search: { campaign: lead.campaign_id } });
    await refresh('leads', 'campaigns');
  };
  return (
    <>
      <Button variant="default" data-testid="lead-edit" onClick={dialog.open}>
        {texts.page.edit}
      </Button>
      <AskFirst
        action={texts.remove.action}
        look={{ color: 'red', variant: 'light' }}
        question={texts.remove.question}
        text={texts.remove.text}
        keep={texts.remove.keep}
        testId="lead-remove"
        run={remove}
      />
      <Dialog title={lead.phone_number} isOpen={isOpen} onClose={dialog.close}>
        <LeadForm lead={lead} onDone={dialog.close} />
      </Dialog>
    </>
  );
}

/** The name of the lead with its number below; the number alone where there is no name. */
function Lead({ lead, story }: { lead: LeadSummary; story: LeadAttempts }): ReactNode {
  const name = leadName(lead.variables);
  const number = <PhoneNumber number={lead.phone_number} />;
  const state = texts.states[lead.state];
  return (
    <>
      <PageHeader
        title={name || lead.phone_number}
        heading={name || number}
        subtitle={
          name ? (
            <>
              {number} · {state}
            </>
          ) : (
            state
          )
        }
        back={LEADS_LINK}
        actions={<Actions lead={lead} />}
      />
      <div className={columns['columns']}>
        <div className={columns['main']}>
          <NextAttempt now={story.now} />
          <LeadAttemptsTable attempts={story.attempts} />
          <LeadContacts contacts={lead.secondary_contacts} />
        </div>
        <div className={columns['side']}>
          <Details lead={lead} />
          <Variables variables={lead.variables} />
        </div>
      </div>
    </>
  );
}

/** The page at `/leads/<id>`. */
export function LeadPage(): ReactNode {
  const trpc = useTRPC();
  const { leadId } = route.useParams();
  const lead = useQuery({ ...trpc.leads.get.queryOptions({ id: leadId }), refetchInterval: RENEWAL_MS });
  const story = useQuery({ ...trpc.leads.explain.queryOptions({ id: leadId }), refetchInterval: RENEWAL_MS });
  const header = <PageHeader title={texts.page.title(leadId)} back={LEADS_LINK} />;
  const pending = <Skeleton h={480} radius="lg" />;
  return (
    <QueryView query={lead} pending={pending} failureHeader={header}>
      {(found) => (
        <QueryView query={story} pending={pending} failureHeader={header}>
          {(told) => <Lead lead={found} story={told} key={found.id} />}
        </QueryView>
      )}
    </QueryView>
  );
}
