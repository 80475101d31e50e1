import { expect, it } from 'vitest';
import { instructionsHint, modelHint } from './assistant-words.rules.ts';

it('says of the scripted model what it understands, and of other models nothing', () => {
  expect(modelHint('Scripted dialogue (built in)')).toMatch(/only the phrases of that script.*keys only/);
  expect(modelHint('llama3.2 (Ollama on this machine)')).toBeUndefined();
});

it('asks for a script where one is followed', () => {
  expect(instructionsHint('Scripted dialogue (built in)')).toContain('#script');
  expect(instructionsHint('gpt')).not.toContain('#script');
});
