/** Mute, keypad and hang-up of a conversation. */
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconGridDots, IconMicrophone, IconMicrophoneOff, IconPhoneOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './talk-controls.module.css';
import type { Talk } from './use-talk.ts';
import { texts } from './texts.ts';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

const KEY_NAMES: Record<string, string> = { '*': texts.controls.keys.star, '#': texts.controls.keys.hash };

function Keypad({ onPress }: { onPress: (digit: string) => void }): ReactNode {
  return (
    <div role="group" aria-label={texts.controls.keypad} className={classes['keypad']}>
      {KEYS.map((key) => (
        <Button
          key={key}
          variant="default"
          size="md"
          aria-label={KEY_NAMES[key] ?? key}
          data-testid={`key-${key}`}
          onClick={() => onPress(key)}
        >
          {key}
        </Button>
      ))}
    </div>
  );
}

/** The buttons below the meters. */
export function TalkControls({ talk }: { talk: Talk }): ReactNode {
  const [isKeypadOpen, keypad] = useDisclosure(false);
  const MuteIcon = talk.isMuted ? IconMicrophoneOff : IconMicrophone;
  return (
    <div className={classes['controls']}>
      <Group justify="center" gap="sm">
        <Button
          variant="default"
          leftSection={<MuteIcon size={18} stroke={1.6} aria-hidden />}
          aria-pressed={talk.isMuted}
          data-testid="talk-mute"
          onClick={talk.toggleMute}
        >
          {talk.isMuted ? texts.controls.unmute : texts.controls.mute}
        </Button>
        <Button
          variant="default"
          leftSection={<IconGridDots size={18} stroke={1.6} aria-hidden />}
          aria-expanded={isKeypadOpen}
          data-testid="talk-keypad"
          onClick={keypad.toggle}
        >
          {texts.controls.keypad}
        </Button>
        <Button
          color="red"
          leftSection={<IconPhoneOff size={18} stroke={1.6} aria-hidden />}
          data-testid="talk-hang-up"
          onClick={talk.hangUp}
        >
          {texts.controls.hangUp}
        </Button>
      </Group>
      {isKeypadOpen && <Keypad onPress={talk.pressKey} />}
    </div>
  );
}
