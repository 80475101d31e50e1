/** Everything about one call: facts, recording, transcript, timeline, webhooks. Renews itself while live. */
import type { CallDetail } from '@parley/contracts';
import { Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import classes from '../ui/two-columns.module.css';
import { CallCosts } from './call-costs.tsx';
import { CallDisposition } from './call-disposition.tsx';
import { CallFacts } from './call-facts.tsx';
import { CallState } from './call-state.tsx';
import { CallTimeline } from './call-timeline.tsx';
import { Deliveries } from './deliveries.tsx';
import { HangUpButton } from './hang-up-button.tsx';
import { findTurnAt, NO_TURN } from './find-turn.rules.ts';
import type { Playback } from './playback.ts';
import { ReplayButton } from './replay-button.tsx';
import { Transcript } from './transcript.tsx';
import { ValueList } from './value-list.tsx';
import { customerLabel } from './customer-label.rules.ts';
import { SipLadder } from './sip-ladder.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const route = getRouteApi('/shell/calls/$callId');

const RecordingPlayer = later(() => import('./recording-player.tsx'), 'RecordingPlayer');

const Supervision = later(() => import('../supervision/supervision-panel.tsx'), 'SupervisionPanel');

const CALLS_LINK = <BackLink to="/calls">{texts.page.back}</BackLink>;

function callTitle(call: CallDetail, customer = customerLabel(call)): string {
  if (call.type === 'web') return texts.page.web;
  return call.type === 'inbound' ? texts.page.from(customer) : texts.page.to(customer);
}

/** The title with the digits of the number in groups. */
function CallHeading({ call }: { call: CallDetail }): ReactNode {
  if (call.type === 'web') return callTitle(call);
  return (
    <>
      {callTitle(call, '')} <PhoneNumber number={customerLabel(call)} />
    </>
  );
}

/** The recording with the transcript below it: a click on a turn moves the player, the player marks the turn. */
function Conversation({ call }: { call: CallDetail }): ReactNode {
  const [playback, setPlayback] = useState<Playback | null>(null);
  const [currentTurn, setCurrentTurn] = useState(NO_TURN);
  return (
    <Section title={texts.page.conversation}>
      {call.recording_url && (
        <Suspense fallback={<Skeleton h={180} mb="lg" />}>
          <RecordingPlayer
            url={call.recording_url}
            assistantName={call.assistant_name}
            onReady={setPlayback}
            onPosition={(positionMs) => setCurrentTurn(findTurnAt(call.turns, positionMs))}
          />
        </Suspense>
      )}
      <Transcript call={call} currentTurn={currentTurn} onSeek={playback?.playFrom ?? null} />
    </Section>
  );
}

function CallDetails({ call }: { call: CallDetail }): ReactNode {
  return (
    <>
      <PageHeader
        title={callTitle(call)}
        heading={<CallHeading call={call} />}
        back={CALLS_LINK}
        subtitle={
          <Group gap="sm" mt={4}>
            <CallState call={call} />
            <span>#{call.id}</span>
          </Group>
        }
        actions={
          <>
            <ReplayButton call={call} />
            <HangUpButton call={call} />
          </>
        }
      />
      <div className={classes['columns']}>
        <div className={classes['main']}>
          {call.status === 'in-progress' && (
            <Suspense fallback={<Skeleton h={120} mb="lg" />}>
              <Supervision callId={call.id} assistantName={call.assistant_name} />
            </Suspense>
          )}
          <Conversation call={call} />
          <CallCosts call={call} />
          <Deliveries call={call} />
          <SipLadder call={call} />
        </div>
        <div className={classes['side']}>
          <CallFacts call={call} />
          <CallDisposition call={call} />
          <CallTimeline events={call.events} />
          <ValueList title={texts.page.collected} values={call.variables} />
          <ValueList title={texts.page.evaluation} values={call.evaluation} />
          <ValueList title={texts.page.input} values={call.input_variables} />
        </div>
      </div>
    </>
  );
}

/** Attempts to deliver a webhook do not change the call, so no live row announces them. */
const DELIVERY_CHECK_MS = 5_000;

function isDelivering(call: CallDetail | undefined): boolean {
  return call?.webhook_deliveries.some(({ status }) => status === 'pending') ?? false;
}

/** The page at `/calls/<id>`. */
export function CallPage(): ReactNode {
  const trpc = useTRPC();
  const { callId } = route.useParams();
  const call = useQuery({
    ...trpc.calls.get.queryOptions({ id: callId }),
    refetchInterval: ({ state }) => (isDelivering(state.data) ? DELIVERY_CHECK_MS : false),
  });
  return (
    <QueryView
      query={call}
      pending={<Skeleton h={480} radius="lg" />}
      failureHeader={<PageHeader title={texts.page.title(callId)} back={CALLS_LINK} />}
    >
      {(data) => <CallDetails call={data} key={data.id} />}
    </QueryView>
  );
}
