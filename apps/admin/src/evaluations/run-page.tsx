/** One run: its progress, the result of each caller, its conversations, and the comparison with another run. */
import type { SuiteRunDetail } from '@parley/contracts';
import { Alert, Button, Group, Progress, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { Comparison } from './comparison.tsx';
import { ConversationView } from './conversation-view.tsx';
import { RunState } from './run-state.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/evaluations/runs/$runId');
const words = texts.run;

/** How often a run in progress is asked for, milliseconds. */
const RUNNING_MS = 1_000;

const COLUMNS: readonly Column[] = [
  [words.columns.caller],
  [words.columns.result],
  [words.columns.passed, table['mediumOnly']],
  [words.columns.latency, table['mediumOnly']],
  [words.columns.cost, table['wideOnly']],
  [words.columns.conversations],
];

type Caller = SuiteRunDetail['callers'][number];

interface Opened {
  id: number;
  title: string;
}

function backLink({ suite_id: suiteId, replayed_call_id: callId }: SuiteRunDetail): ReactNode {
  if (callId !== null)
    return (
      <BackLink to="/calls/$callId" params={{ callId }}>
        {texts.conversation.call(callId)}
      </BackLink>
    );
  if (suiteId === null) return <BackLink to="/evaluations">{texts.suite.back}</BackLink>;
  return (
    <BackLink to="/evaluations/$suiteId" params={{ suiteId }}>
      {words.back}
    </BackLink>
  );
}

function Actions({ run }: { run: SuiteRunDetail }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  if (run.status === 'running')
    return (
      <AskFirst
        action={words.cancel.action}
        look={{ variant: 'default' }}
        question={words.cancel.question}
        text={words.cancel.text}
        keep={words.cancel.keep}
        testId="run-cancel"
        run={async () => {
          await client.suiteRuns.cancel.mutate({ id: run.id });
          await refresh('suiteRuns');
        }}
      />
    );
  return (
    <AskFirst
      action={words.remove.action}
      look={{ color: 'red', variant: 'light' }}
      question={words.remove.question}
      text={words.remove.text}
      keep={words.remove.keep}
      testId="run-remove"
      run={async () => {
        await client.suiteRuns.remove.mutate({ id: run.id });
        await navigate({ to: '/evaluations' });
        await refresh('suites');
      }}
    />
  );
}

function CallerRow({ caller, onOpen }: { caller: Caller; onOpen: (opened: Opened) => void }): ReactNode {
  const { format } = useAmounts();
  const { name, is_passed: isPassed, passed, done, required, latency_p95: latency } = caller;
  const status = isPassed === null ? 'running' : isPassed ? 'passed' : 'failed';
  const failure = caller.conversations.find(({ failures }) => failures.length > 0)?.failures[0];
  return (
    <tr data-testid="caller-row" data-state={status}>
      <td className={table['wrap']}>
        {name}
        <div className={table['under']}>{words.held(caller.assistant, words.mode[caller.mode])}</div>
        {failure !== undefined && <div className={table['under']}>{failure}</div>}
      </td>
      <td>
        <RunState status={status} />
      </td>
      <td className={table['mediumOnly']}>{words.passedOf(passed, done, required)}</td>
      <td className={table['mediumOnly']}>{latency === null ? '–' : words.milliseconds(latency)}</td>
      <td className={table['wideOnly']}>{caller.cost === null ? '–' : format(caller.cost)}</td>
      <td className={table['wrap']}>
        <Group gap={4}>
          {caller.conversations
            .filter(({ state }) => state === 'done')
            .map(({ id, number, is_passed: isGood }) => (
              <Button
                key={id}
                size="compact-xs"
                {...(isGood === true ? { variant: 'default' } : { variant: 'light', color: 'red' })}
                data-testid="open-conversation"
                aria-label={words.open(name, number)}
                onClick={() => onOpen({ id, title: texts.conversation.title(name, number) })}
              >
                {number}
              </Button>
            ))}
        </Group>
      </td>
    </tr>
  );
}

function Results({ run }: { run: SuiteRunDetail }): ReactNode {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <Section title={words.results}>
      <DataTable columns={COLUMNS}>
        {run.callers.map((caller) => (
          <CallerRow key={caller.name} caller={caller} onOpen={setOpened} />
        ))}
      </DataTable>
      <Dialog title={opened?.title ?? ''} isOpen={opened !== null} onClose={() => setOpened(null)} isWide>
        {opened && <ConversationView id={opened.id} />}
      </Dialog>
    </Section>
  );
}

/** A replay has one conversation, which is the page. */
function Body({ run }: { run: SuiteRunDetail }): ReactNode {
  const [held] = run.callers[0]?.conversations ?? [];
  if (run.replayed_call_id === null || !held) return <Results run={run} />;
  return (
    <Section title={words.results}>
      {held.state === 'done' ? <ConversationView id={held.id} /> : texts.replay.running}
    </Section>
  );
}

function Run({ run }: { run: SuiteRunDetail }): ReactNode {
  const { done_count: done, conversations_count: total, failed_count: failed } = run;
  return (
    <>
      <PageHeader
        title={run.name}
        back={backLink(run)}
        subtitle={
          <Group gap="sm" mt={4}>
            <RunState status={run.status} />
            <span>{texts.runs.progress(done, total, failed)}</span>
          </Group>
        }
        actions={<Actions run={run} />}
      />
      {run.status === 'running' && (
        <Progress value={(done / total) * 100} mb="lg" aria-label={words.columns.conversations} />
      )}
      {run.error !== null && (
        <Alert color="red" variant="light" mb="lg">
          {run.error}
        </Alert>
      )}
      <Stack gap="lg">
        <Body run={run} />
        <Comparison run={run} />
      </Stack>
    </>
  );
}

/** The page at `/evaluations/runs/<id>`. Renews itself while the run is in progress. */
export function RunPage(): ReactNode {
  const trpc = useTRPC();
  const { runId } = route.useParams();
  const run = useQuery({
    ...trpc.suiteRuns.get.queryOptions({ id: runId }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_MS : false),
  });
  return (
    <QueryView
      query={run}
      pending={<Skeleton h={320} radius="lg" />}
      failureHeader={
        <PageHeader
          title={words.title(runId)}
          back={<BackLink to="/evaluations">{texts.suite.back}</BackLink>}
        />
      }
    >
      {(data) => <Run run={data} key={data.id} />}
    </QueryView>
  );
}
