/**
 * Plays a recording: both sides as waveforms, steps of ten seconds, speed, download. The sound itself
 * comes from a plain `<audio>` element, which asks the server for the ranges it needs.
 */
import { ActionIcon, Alert, Group, NativeSelect, Skeleton, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  IconDownload,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRewindBackward10,
  IconRewindForward10,
} from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatDuration } from '../ui/format.rules.ts';
import type { Playback } from './playback.ts';
import classes from './recording-player.module.css';
import { WaveformView } from './waveform-view.tsx';
import { texts } from './texts.ts';

interface RecordingPlayerProps {
  url: string;
  assistantName: string;
  /** Called once with the controls for other parts of the page. */
  onReady: (playback: Playback) => void;
  /** Called as the recording plays or is moved. Milliseconds from its beginning. */
  onPosition: (positionMs: number) => void;
}

const SPEEDS = ['1', '1.25', '1.5', '2'];
const STEP_SECONDS = 10;

interface PlayerState {
  isPlaying: boolean;
  positionSeconds: number;
  durationSeconds: number;
  hasFailed: boolean;
}

const AT_REST: PlayerState = { isPlaying: false, positionSeconds: 0, durationSeconds: 0, hasFailed: false };

const AUDIO_EVENTS = [
  'play',
  'pause',
  'timeupdate',
  'seeked',
  'loadedmetadata',
  'durationchange',
  'error',
] as const;

/** Follows an audio element; while it plays, the position is reported for every animation frame. */
function useAudioState(
  audio: RefObject<HTMLAudioElement | null>,
  onPosition: (ms: number) => void,
): PlayerState {
  const [state, setState] = useState(AT_REST);
  const tellPosition = useEffectEvent(onPosition);
  useEffect(() => {
    const element = audio.current;
    if (!element) return undefined;
    let frame = 0;
    const follow = (): void => {
      tellPosition(element.currentTime * 1_000);
      if (!element.paused) frame = requestAnimationFrame(follow);
    };
    const refresh = (event?: Event): void => {
      setState({
        isPlaying: !element.paused,
        positionSeconds: element.currentTime,
        durationSeconds: Number.isFinite(element.duration) ? element.duration : 0,
        hasFailed: element.error !== null,
      });
      if (event?.type !== 'play' && event?.type !== 'seeked') return;
      cancelAnimationFrame(frame);
      follow();
    };
    for (const name of AUDIO_EVENTS) element.addEventListener(name, refresh);
    // The element may have loaded data before the listeners were added.
    refresh();
    return () => {
      cancelAnimationFrame(frame);
      for (const name of AUDIO_EVENTS) element.removeEventListener(name, refresh);
    };
  }, [audio]);
  return state;
}

interface ControlsProps {
  audio: RefObject<HTMLAudioElement | null>;
  state: PlayerState;
  url: string;
}

function IconControl({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" title={label} aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

/** Moves and toggles the player, by button and by key. */
function useSteps(audio: ControlsProps['audio'], { isPlaying }: PlayerState) {
  const step = (seconds: number): void => {
    if (audio.current) audio.current.currentTime += seconds;
  };
  const toggle = (): void => {
    if (isPlaying) audio.current?.pause();
    // A failure to play is reported by the error or pause event of the element.
    else audio.current?.play().catch(() => undefined);
  };
  // Not in fields: there these are letters.
  useHotkeys([
    ['K', toggle],
    ['J', () => step(-STEP_SECONDS)],
    ['L', () => step(STEP_SECONDS)],
  ]);
  return { step, toggle };
}

function Controls({ audio, state, url }: ControlsProps): ReactNode {
  const { step, toggle } = useSteps(audio, state);
  return (
    <div className={classes['controls']}>
      <Group gap={4}>
        <IconControl label={texts.player.back} onClick={() => step(-STEP_SECONDS)}>
          <IconRewindBackward10 size={20} stroke={1.6} aria-hidden />
        </IconControl>
        <ActionIcon
          size={42}
          radius="xl"
          aria-label={state.isPlaying ? texts.player.pause : texts.player.play}
          data-testid="player-toggle"
          onClick={toggle}
        >
          {state.isPlaying ? (
            <IconPlayerPauseFilled size={20} aria-hidden />
          ) : (
            <IconPlayerPlayFilled size={20} aria-hidden />
          )}
        </ActionIcon>
        <IconControl label={texts.player.forward} onClick={() => step(STEP_SECONDS)}>
          <IconRewindForward10 size={20} stroke={1.6} aria-hidden />
        </IconControl>
        <Text size="sm" ml={6} className={classes['time'] ?? ''} data-testid="player-time">
          {formatDuration(state.positionSeconds)} / {formatDuration(state.durationSeconds)}
        </Text>
      </Group>
      <Group gap={4}>
        <NativeSelect
          size="xs"
          aria-label={texts.player.speed}
          data={SPEEDS.map((speed) => ({ value: speed, label: `${speed}×` }))}
          onChange={(event) => {
            if (audio.current) audio.current.playbackRate = Number(event.currentTarget.value);
          }}
        />
        <ActionIcon
          component="a"
          href={url}
          download
          variant="subtle"
          color="gray"
          size="lg"
          title={texts.player.download}
          aria-label={texts.player.download}
        >
          <IconDownload size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** The player of one recording. */
export function RecordingPlayer({
  url,
  assistantName,
  onReady,
  onPosition,
}: RecordingPlayerProps): ReactNode {
  const audio = useRef<HTMLAudioElement>(null);
  const [element, setElement] = useState<HTMLAudioElement | null>(null);
  const state = useAudioState(audio, onPosition);
  useEffect(() => {
    const current = audio.current;
    if (!current) return;
    setElement(current);
    onReady({
      playFrom: (positionMs) => {
        current.currentTime = positionMs / 1_000;
        current.play().catch(() => undefined);
      },
    });
  }, [onReady]);
  return (
    <div className={classes['player']} data-testid="player" data-position={state.positionSeconds.toFixed(2)}>
      <audio ref={audio} src={url} preload="metadata" data-testid="player-audio" />
      {state.hasFailed && (
        <Alert color="red" variant="light" role="alert">
          {texts.player.failed}
        </Alert>
      )}
      {element ? (
        <WaveformView audio={element} url={url} assistantName={assistantName} state={state} />
      ) : (
        <Skeleton h={88} />
      )}
      <Controls audio={audio} state={state} url={url} />
    </div>
  );
}
