/**
 * The conversation: its stage, the levels of both sides, the controls, and the transcript.
 * `data-stage`, `data-played-ms` and `data-sounding` say the same to tests and other programs.
 */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeLine } from '../ui/code-line.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { findContextProblem } from './microphone-problem.rules.ts';
import { SoundPathNote } from './sound-path-note.tsx';
import { SpokenTurns } from './spoken-turns.tsx';
import { TalkControls } from './talk-controls.tsx';
import { TalkMeters } from './talk-meters.tsx';
import classes from './talk-panel.module.css';
import {
  isTalking,
  isUnderWay,
  type TalkProblem,
  type TalkStage,
  type TalkState,
} from '../web-call/talk-stage.rules.ts';
import type { Talk } from './use-talk.ts';
import { texts } from './texts.ts';

function ProblemNotice({ problem }: { problem: TalkProblem }): ReactNode {
  return (
    <Alert
      color="orange"
      variant="light"
      title={problem.title}
      role="alert"
      data-testid="talk-problem"
      w="100%"
    >
      <Stack gap="sm">
        <Text size="sm">{problem.text}</Text>
        {problem.command && <CodeLine code={problem.command} label={texts.panel.forwardCommand} />}
      </Stack>
    </Alert>
  );
}

/** The stage as text, and an icon that is animated with it. */
function StageDisplay({ stage, isBlocked }: { stage: TalkStage; isBlocked: boolean }): ReactNode {
  const { title, text } = isBlocked ? texts.blocked : texts.stages[stage];
  return (
    <div className={classes['stage']}>
      <span className={classes['mark']} data-stage={stage} aria-hidden="true">
        <IconMicrophone size={30} stroke={1.5} />
      </span>
      <div role="status" aria-live="polite">
        <Text fw={600} size="lg" ta="center">
          {title}
        </Text>
        <Text c="dimmed" size="sm" ta="center">
          {text}
        </Text>
      </div>
    </div>
  );
}

function StartOrEnd({ talk }: { talk: Talk }): ReactNode {
  const { stage, callId } = talk.state;
  if (isTalking(stage)) return <TalkControls talk={talk} />;
  if (isUnderWay(stage))
    return (
      <Button variant="default" onClick={talk.hangUp}>
        {texts.panel.cancel}
      </Button>
    );
  return (
    <div className={classes['choices']}>
      <Button size="md" onClick={talk.start} data-testid="talk-start">
        {stage === 'idle' ? texts.panel.start : texts.panel.again}
      </Button>
      {callId !== null && (
        <LinkButton
          to="/calls/$callId"
          params={{ callId }}
          variant="default"
          size="md"
          data-testid="talk-call-link"
        >
          {texts.panel.openCall}
        </LinkButton>
      )}
    </div>
  );
}

/** What to show as the problem: that of the page comes before that of the last try. */
function currentProblem(state: TalkState): TalkProblem | null {
  const page = {
    isSecureContext: window.isSecureContext,
    hasMediaDevices: navigator.mediaDevices !== undefined,
  };
  return findContextProblem(page, location) ?? state.problem;
}

interface TalkPanelProps {
  talk: Talk;
  assistantName: string;
  /** Shown while no call is under way. */
  preparation?: ReactNode;
  /** Shown above the controls, in a call and without one. */
  notes?: ReactNode;
}

/** One conversation with one assistant. */
export function TalkPanel({ talk, assistantName, preparation, notes }: TalkPanelProps): ReactNode {
  const { state } = talk;
  const problem = currentProblem(state);
  const isBlocked = problem !== null && problem !== state.problem;
  return (
    <div
      className={classes['panel']}
      ref={talk.panel}
      data-testid="talk"
      data-stage={state.stage}
      data-call-id={state.callId ?? ''}
      data-played-ms="0"
      data-sounding="false"
    >
      <StageDisplay stage={state.stage} isBlocked={isBlocked} />
      {!isUnderWay(state.stage) && preparation}
      {notes}
      {problem && <ProblemNotice problem={problem} />}
      {isUnderWay(state.stage) && <TalkMeters talk={talk} assistantName={assistantName} />}
      {isUnderWay(state.stage) && <SoundPathNote report={talk.soundPath} />}
      {!isBlocked && <StartOrEnd talk={talk} />}
      <SpokenTurns turns={state.turns} assistantName={assistantName} />
    </div>
  );
}
