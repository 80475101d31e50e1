import { expect, it } from 'vitest';
import { instructionsHint, modelHint, secondModels } from './assistant-labels.rules.ts';

it('has a hint for the scripted model only', () => {
  expect(modelHint('Scripted dialogue (built in)')).toMatch(/keypad input.*English speech/);
  expect(modelHint('llama3.2 (Ollama on this machine)')).toBeUndefined();
});

it('asks for a script when the model follows one', () => {
  expect(instructionsHint('Scripted dialogue (built in)')).toContain('#script');
  expect(instructionsHint('gpt')).not.toContain('#script');
});

it('offers all other models as the second one, except the scripted one', () => {
  const models = ['Scripted dialogue (built in)', 'small', 'large'];
  expect(secondModels(models, 'large')).toEqual(['small']);
  expect(secondModels(models, 'Scripted dialogue (built in)')).toEqual([]);
});
