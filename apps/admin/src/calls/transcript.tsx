/** The transcript as a chat. A turn is a button that plays the recording from there. */
import type { CallDetail, CallTurn } from '@parley/contracts';
import { Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Bubble } from '../ui/bubble.tsx';
import { formatDuration, formatMilliseconds } from '../ui/format.rules.ts';
import { statusLook } from './call-status.rules.ts';
import classes from './transcript.module.css';
import { texts } from './texts.ts';

interface TranscriptProps {
  call: CallDetail;
  /** Index of the turn being played; -1 for none. */
  currentTurn: number;
  /** Null without a recording. */
  onSeek: ((positionMs: number) => void) | null;
}

/** The stages as they happened; JSON does not keep their order. */
function stagesInTime(turn: CallTurn): [string, number][] {
  return Object.entries(turn.latency).toSorted(([, one], [, other]) => one - other);
}

function TurnFoot({ turn }: { turn: CallTurn }): ReactNode {
  return (
    <>
      <span>{formatDuration(turn.start_ms / 1_000)}</span>
      {turn.is_interrupted && <span>{texts.transcript.interrupted}</span>}
      {stagesInTime(turn).map(([stage, milliseconds]) => (
        <span key={stage} title={texts.transcript.latency}>
          {stage.replaceAll('_', ' ')} {formatMilliseconds(milliseconds)}
        </span>
      ))}
    </>
  );
}

interface TurnProps extends Pick<TranscriptProps, 'onSeek'> {
  turn: CallTurn;
  speaker: string;
  isCurrent: boolean;
}

function Turn({ turn, speaker, isCurrent, onSeek }: TurnProps): ReactNode {
  const bubble = (
    <Bubble side={turn.sender} speaker={speaker} isCurrent={isCurrent} foot={<TurnFoot turn={turn} />}>
      {turn.text}
    </Bubble>
  );
  if (!onSeek) return bubble;
  return (
    <UnstyledButton
      className={classes['seek'] ?? ''}
      aria-current={isCurrent || undefined}
      onClick={() => onSeek(turn.start_ms)}
    >
      <span className="visually-hidden">{texts.transcript.playFrom} </span>
      {bubble}
    </UnstyledButton>
  );
}

function NothingSaid({ call }: { call: CallDetail }): ReactNode {
  const { isLive } = statusLook(call.status);
  return (
    <Text size="sm" c="dimmed">
      {isLive ? texts.transcript.live : texts.transcript.empty}
    </Text>
  );
}

/** Oldest turn first. */
export function Transcript({ call, currentTurn, onSeek }: TranscriptProps): ReactNode {
  if (call.turns.length === 0) return <NothingSaid call={call} />;
  return (
    <ol className={classes['turns']} data-testid="transcript">
      {call.turns.map((turn, index) => (
        // Turns are only appended, so the index is a stable key.
        <li key={index} data-testid="turn" data-sender={turn.sender}>
          <Turn
            turn={turn}
            speaker={turn.sender === 'bot' ? call.assistant_name : texts.customer}
            isCurrent={index === currentTurn}
            onSeek={onSeek}
          />
        </li>
      ))}
    </ol>
  );
}
