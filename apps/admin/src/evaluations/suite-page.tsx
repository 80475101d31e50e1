/** One suite: its text, its runs, and the button that starts one. */
import type { SuiteDetail } from '@parley/contracts';
import { Button, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { RunsTable } from './runs-table.tsx';
import { SuiteForm } from './suite-form.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const StartForm = later(() => import('./start-form.tsx'), 'StartForm');

const route = getRouteApi('/shell/evaluations/$suiteId');

const BACK = <BackLink to="/evaluations">{texts.suite.back}</BackLink>;
/** The form stays on the page. */
const stay = (): void => {};
/** How often the runs are asked for while one is in progress, milliseconds. */
const RUNNING_MS = 2_000;

function Actions({ suite }: { suite: SuiteDetail }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const remove = async (): Promise<void> => {
    await client.suites.remove.mutate({ id: suite.id });
    await navigate({ to: '/evaluations' });
    await refresh('suites');
  };
  return (
    <>
      <AskFirst
        action={texts.suite.remove.action}
        look={{ color: 'red', variant: 'light' }}
        question={texts.suite.remove.question(suite.name)}
        text={texts.suite.remove.text}
        keep={texts.suite.remove.keep}
        testId="suite-remove"
        run={remove}
      />
      <Button
        leftSection={<IconPlayerPlay size={18} stroke={1.6} aria-hidden />}
        data-testid="suite-run"
        onClick={dialog.open}
      >
        {texts.start.action}
      </Button>
      <Dialog title={texts.start.title} isOpen={isOpen} onClose={dialog.close}>
        <StartForm suiteId={suite.id} onDone={dialog.close} />
      </Dialog>
    </>
  );
}

function Runs({ suiteId }: { suiteId: number }): ReactNode {
  const trpc = useTRPC();
  const runs = useQuery({
    ...trpc.suiteRuns.list.queryOptions({ suite_id: suiteId }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'running') ? RUNNING_MS : false,
  });
  return (
    <Section title={texts.suite.runs}>
      <QueryView query={runs} pending={<Skeleton h={120} radius="lg" />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={<IconPlayerPlay size={24} stroke={1.5} />} {...texts.suite.noRuns} />
          ) : (
            <RunsTable runs={data} />
          )
        }
      </QueryView>
    </Section>
  );
}

/** The page at `/evaluations/<id>`. */
export function SuitePage(): ReactNode {
  const trpc = useTRPC();
  const { suiteId } = route.useParams();
  const suite = useQuery(trpc.suites.get.queryOptions({ id: suiteId }));
  return (
    <QueryView
      query={suite}
      pending={<Skeleton h={320} radius="lg" />}
      failureHeader={<PageHeader title={texts.suite.title(suiteId)} back={BACK} />}
    >
      {(data) => (
        <>
          <PageHeader
            title={data.name}
            subtitle={texts.suite.facts(data.callers_count, data.conversations_count)}
            back={BACK}
            actions={<Actions suite={data} />}
          />
          <Stack gap="lg">
            <Runs suiteId={suiteId} />
            <Section title={texts.suite.definition}>
              <SuiteForm key={data.updated_at} suite={data} onDone={stay} />
            </Section>
          </Stack>
        </>
      )}
    </QueryView>
  );
}
