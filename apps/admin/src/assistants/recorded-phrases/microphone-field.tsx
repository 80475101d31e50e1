/** Records the sound of a form with the microphone. */
import { Alert, Button, Group, Input, Progress, Text } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeLine } from '../../ui/code-line.tsx';
import { texts } from './texts.ts';
import { type Microphone, useMicrophone } from './use-microphone.ts';
import type { SoundPlayer } from './use-sound.ts';

const words = texts.form.microphone;

interface MicrophoneFieldProps {
  value: File | null;
  onChange: (sound: File) => void;
  error: ReactNode;
  player: SoundPlayer;
}

function RecordButton({ microphone, isAgain }: { microphone: Microphone; isAgain: boolean }): ReactNode {
  const { state, start, stop } = microphone;
  if (state.stage === 'recording')
    return (
      <Button
        color="red"
        leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
        data-testid="microphone-stop"
        onClick={stop}
      >
        {words.stop(state.seconds)}
      </Button>
    );
  return (
    <Button
      variant="default"
      leftSection={<IconMicrophone size={16} aria-hidden />}
      loading={state.stage === 'opening'}
      data-testid="microphone-start"
      onClick={start}
    >
      {isAgain ? words.again : words.start}
    </Button>
  );
}

function Problem({ problem }: { problem: NonNullable<Microphone['problem']> }): ReactNode {
  return (
    <Alert color="yellow" variant="light" title={problem.title} data-testid="microphone-problem">
      {problem.text}
      {problem.command !== undefined && <CodeLine code={problem.command} label={problem.title} />}
    </Alert>
  );
}

/** The recording can be listened to and repeated before it is sent. */
export function MicrophoneField({ value, onChange, error, player }: MicrophoneFieldProps): ReactNode {
  const microphone = useMicrophone(onChange);
  const { state, problem } = microphone;
  const isRecording = state.stage === 'recording';
  const { action } = player.playing === 'spoken' ? texts.stop : texts.listen;
  return (
    <Input.Wrapper error={error} inputWrapperOrder={['input', 'error']}>
      {problem && <Problem problem={problem} />}
      <Group gap="sm" my={4}>
        <RecordButton microphone={microphone} isAgain={value !== null} />
        {value && !isRecording && (
          <Button
            variant="default"
            data-testid="microphone-listen"
            onClick={() => player.toggle('spoken', () => value.arrayBuffer())}
          >
            {action}
          </Button>
        )}
      </Group>
      {isRecording && <Progress value={state.level * 100} aria-label={words.level} my="xs" />}
      <Text size="sm" c="dimmed" role="status">
        {state.stage === 'opening' ? words.opening : value && !isRecording ? words.recorded : ''}
      </Text>
    </Input.Wrapper>
  );
}
