/** Listening in to a live call, reading along, whispering, taking over and transferring. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconEar, IconEarOff, IconMicrophone, IconMicrophoneOff, IconRobot } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Bubble } from '../ui/bubble.tsx';
import { Section } from '../ui/section.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import classes from './supervision.module.css';
import type { LiveTurn } from './supervision-state.rules.ts';
import { texts } from './texts.ts';
import { TransferByHand } from './transfer-by-hand.tsx';
import { type Supervising, useSupervision } from './use-supervision.ts';
import { WhisperForm } from './whisper-form.tsx';

const ICON = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;

function ListenButton({ supervising }: { supervising: Supervising }): ReactNode {
  const isIdle = supervising.state.stage === 'idle';
  return (
    <Button
      variant="default"
      leftSection={isIdle ? <IconEar {...ICON} /> : <IconEarOff {...ICON} />}
      data-testid={isIdle ? 'listen' : 'stop-listening'}
      onClick={() => (isIdle ? supervising.start('listen') : supervising.stop())}
    >
      {isIdle ? texts.listen : texts.stop}
    </Button>
  );
}

/** An operator who gives the call back listens on. */
function TalkButtons({ supervising }: { supervising: Supervising }): ReactNode {
  const { isMuted } = supervising;
  const MuteIcon = isMuted ? IconMicrophoneOff : IconMicrophone;
  return (
    <>
      <Button
        variant="default"
        leftSection={<MuteIcon {...ICON} />}
        aria-pressed={isMuted}
        data-testid="supervisor-mute"
        onClick={supervising.toggleMute}
      >
        {isMuted ? texts.unmute : texts.mute}
      </Button>
      <Button
        leftSection={<IconRobot {...ICON} />}
        data-testid="give-back"
        onClick={() => supervising.start('listen')}
      >
        {texts.giveBack}
      </Button>
    </>
  );
}

function Controls({ supervising }: { supervising: Supervising }): ReactNode {
  if (supervising.state.stage === 'talking') return <TalkButtons supervising={supervising} />;
  return (
    <>
      <ListenButton supervising={supervising} />
      <Button
        leftSection={<IconMicrophone {...ICON} />}
        disabled={supervising.state.stage === 'connecting'}
        data-testid="take-over"
        onClick={() => supervising.start('talk')}
      >
        {texts.takeOver}
      </Button>
    </>
  );
}

function LiveTurns({ turns, name }: { turns: readonly LiveTurn[]; name: string }): ReactNode {
  if (turns.length === 0) return null;
  return (
    <ol className={classes['turns']} aria-label={texts.turns} aria-live="polite" data-testid="live-turns">
      {turns.map(({ sender, text, startMs }) => (
        <li key={`${sender} ${startMs}`}>
          <Bubble side={sender} speaker={sender === 'bot' ? name : texts.customer}>
            {text}
          </Bubble>
        </li>
      ))}
    </ol>
  );
}

/** Only while the customer and the assistant talk. */
export function SupervisionPanel(props: { callId: number; assistantName: string }): ReactNode {
  const { callId, assistantName } = props;
  const supervising = useSupervision(callId);
  const { stage, turns, destinations, problem } = supervising.state;
  useUnsavedChanges({ isDirty: stage === 'talking', question: texts.leave });
  return (
    <Section title={texts.title}>
      <Stack gap="md" ref={supervising.panel} data-testid="supervision" data-stage={stage}>
        <Text size="sm" c="dimmed" role="status">
          {texts.states[stage]}
        </Text>
        {problem !== null && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <Group gap="sm">
          <Controls supervising={supervising} />
        </Group>
        <LiveTurns turns={turns} name={assistantName} />
        <WhisperForm callId={callId} />
        {destinations.length > 0 && <TransferByHand callId={callId} destinations={destinations} />}
      </Stack>
    </Section>
  );
}
