/** Adds the pasted numbers of a form in parts that the server accepts. Numbers that it refuses stay in the field. */
import { inBackground } from '../client/in-background.ts';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { showFaults } from '../client/request-error.ts';
import { inParts, pastedNumbers } from './pasted-numbers.rules.ts';

/** Below the maximum of the server, so that each request is short. */
const PART = 500;

interface Added {
  added: number;
  refused: string[];
}

interface AddNumbersOptions<Draft> {
  /** Adds one part. */
  send: (numbers: string[], draft: Draft) => Promise<Added>;
  /** All numbers were added. */
  onDone: () => void;
  /** Reloads the list. */
  onSettled: () => Promise<unknown>;
}

/** @returns the mutation; its result is the sum of all parts */
export function useAddNumbers<Draft extends { numbers: string }>(
  form: UseFormReturnType<Draft>,
  { send, onDone, onSettled }: AddNumbersOptions<Draft>,
) {
  return useMutation({
    mutationFn: async (draft: Draft): Promise<Added> => {
      const sum: Added = { added: 0, refused: [] };
      for (const part of inParts(pastedNumbers(draft.numbers), PART)) {
        const { added, refused } = await send(part, draft);
        sum.added += added;
        sum.refused.push(...refused);
      }
      return sum;
    },
    onSuccess: ({ refused }) => {
      if (refused.length === 0) onDone();
      else form.setValues((values) => ({ ...values, numbers: refused.join('\n') }));
    },
    onError: showFaults(form),
    // Without waiting: until a request is settled, its form counts as being saved, and is left without a question.
    onSettled: () => inBackground(onSettled()),
  });
}
