/** The SIP messages of a call as a ladder between Parley and the far end, with statistics of the audio packets. */
import type { CallDetail, SipMessageRecord, SipTraceRecord } from '@parley/contracts';
import { Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { Facts } from '../ui/facts.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { encryptionFacts, formatOffset, mayStillCome, rtpFacts } from './sip-ladder.rules.ts';
import classes from './sip-ladder.module.css';
import { texts } from './texts.ts';

/** How often a trace that is about to be stored is requested, in ms. */
const RENEWAL_MS = 2_000;

function Message({ message, start }: { message: SipMessageRecord; start: string }): ReactNode {
  const { direction, summary, at, transport, local, remote, text } = message;
  const isSent = direction === 'out';
  return (
    <details className={classes['message']} data-direction={direction} data-testid="sip-message">
      <summary>
        <time dateTime={at}>{formatOffset(start, at)}</time>
        <span className={classes['arrow']}>{summary}</span>
      </summary>
      <Text size="xs" c="dimmed">
        {(isSent ? texts.ladder.sent : texts.ladder.received)(local, remote, transport.toUpperCase())}
      </Text>
      <pre className={classes['text']}>{text}</pre>
      {message.is_truncated && (
        <Text size="xs" c="dimmed">
          {texts.ladder.truncated}
        </Text>
      )}
    </details>
  );
}

function Ladder({ trace }: { trace: SipTraceRecord }): ReactNode {
  const [first] = trace.messages;
  if (!first)
    return (
      <Text size="sm" c="dimmed">
        {trace.is_withheld ? texts.ladder.withheld : texts.ladder.empty}
      </Text>
    );
  return (
    <div data-testid="sip-ladder">
      <div className={classes['sides']}>
        <span>{texts.ladder.own}</span>
        <span>{first.remote}</span>
      </div>
      {trace.messages.map((message, index) => (
        // A stored trace does not change, so the index is a stable key.
        <Message key={index} message={message} start={first.at} />
      ))}
      {trace.omitted_messages > 0 && (
        <Text size="xs" c="dimmed">
          {texts.ladder.omitted(trace.omitted_messages)}
        </Text>
      )}
    </div>
  );
}

function CaptureButton({ callId }: { callId: number }): ReactNode {
  const client = useTRPCClient();
  const download = useMutation({
    mutationFn: async () => {
      const { base64 } = await client.calls.sipCapture.query({ id: callId });
      const link = document.createElement('a');
      link.href = `data:application/vnd.tcpdump.pcap;base64,${base64}`;
      link.download = `call-${callId}.pcap`;
      link.click();
    },
  });
  return (
    <Button
      size="xs"
      variant="default"
      data-testid="sip-capture"
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {texts.ladder.download}
    </Button>
  );
}

/** Renders nothing for a call in the browser, and before the end of a call. */
export function SipLadder({ call }: { call: CallDetail }): ReactNode {
  const isTraced = call.type !== 'web' && call.ended_at !== null;
  const trpc = useTRPC();
  const trace = useQuery({
    ...trpc.calls.sipTrace.queryOptions({ id: call.id }),
    enabled: isTraced,
    refetchInterval: ({ state }) => (mayStillCome(call, state.data, Date.now()) ? RENEWAL_MS : false),
  });
  if (!isTraced) return null;
  const hasMessages = (trace.data?.messages.length ?? 0) > 0;
  return (
    <Section title={texts.ladder.title} aside={hasMessages && <CaptureButton callId={call.id} />}>
      <QueryView query={trace} pending={<Skeleton h={120} radius="lg" />}>
        {(data) => (
          <>
            <Facts
              facts={[
                ...(data.encryption ? encryptionFacts(data.encryption) : []),
                ...(data.rtp ? rtpFacts(data.rtp) : []),
              ]}
              layout="columns"
            />
            <Ladder trace={data} />
          </>
        )}
      </QueryView>
    </Section>
  );
}
