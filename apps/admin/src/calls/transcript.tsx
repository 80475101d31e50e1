/** The transcript as a chat. A turn is a button that plays the recording from the word that was clicked, by key from its beginning. */
import type { CallDetail, CallTurn } from '@parley/contracts';
import { Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Bubble } from '../ui/bubble.tsx';
import { formatDuration, formatMilliseconds } from '../ui/format.rules.ts';
import { statusLook } from './call-status.rules.ts';
import { LatencyBar } from './latency-bar.tsx';
import classes from './transcript.module.css';
import { longestWaitMs, stageSpans, wordTimeMs } from './turn-times.rules.ts';
import { texts } from './texts.ts';

/** The server may know more stages than this page. */
const STAGES: Readonly<Record<string, string>> = texts.transcript.stages;

interface TranscriptProps {
  call: CallDetail;
  /** Index of the turn being played; -1 for none. */
  currentTurn: number;
  /** Null without a recording. */
  onSeek: ((positionMs: number) => void) | null;
}

function TurnFoot({ turn, scaleMs }: { turn: CallTurn; scaleMs: number }): ReactNode {
  const spans = stageSpans(turn.latency);
  return (
    <>
      <LatencyBar spans={spans} scaleMs={scaleMs} />
      <span>{formatDuration(turn.start_ms / 1_000)}</span>
      {turn.is_interrupted && <span>{texts.transcript.interrupted}</span>}
      {spans.map(({ stage }) => (
        <span key={stage} title={texts.transcript.latency}>
          {STAGES[stage] ?? stage.replaceAll('_', ' ')} {formatMilliseconds(turn.latency[stage] ?? 0)}
        </span>
      ))}
    </>
  );
}

interface TurnProps extends Pick<TranscriptProps, 'onSeek'> {
  turn: CallTurn;
  speaker: string;
  isCurrent: boolean;
  /** Of the bars of all turns. */
  scaleMs: number;
}

/** The word under the pointer, as characters from the beginning of the turn; 0 for a click by key, or beside the text. */
function clickedOffset({ clientX, clientY, detail }: MouseEvent, text: string): number {
  if (detail === 0) return 0;
  const position = document.caretPositionFromPoint?.(clientX, clientY);
  return position?.offsetNode.textContent === text ? position.offset : 0;
}

function Turn({ turn, speaker, isCurrent, scaleMs, onSeek }: TurnProps): ReactNode {
  const bubble = (
    <Bubble
      side={turn.sender}
      speaker={speaker}
      isCurrent={isCurrent}
      foot={<TurnFoot turn={turn} scaleMs={scaleMs} />}
    >
      {turn.text}
    </Bubble>
  );
  if (!onSeek) return bubble;
  return (
    <UnstyledButton
      className={classes['seek'] ?? ''}
      aria-current={isCurrent || undefined}
      onClick={({ nativeEvent }) => onSeek(wordTimeMs(turn, clickedOffset(nativeEvent, turn.text)))}
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
  const scaleMs = longestWaitMs(call.turns);
  return (
    <ol className={classes['turns']} data-testid="transcript">
      {call.turns.map((turn, index) => (
        // Turns are only appended, so the index is a stable key.
        <li key={index} data-testid="turn" data-sender={turn.sender}>
          <Turn
            turn={turn}
            speaker={turn.sender === 'bot' ? call.assistant_name : texts.customer}
            isCurrent={index === currentTurn}
            scaleMs={scaleMs}
            onSeek={onSeek}
          />
        </li>
      ))}
    </ol>
  );
}
