/** The texts of the commands for evaluations. */

/** The texts of `calls evaluate`. */
export const evaluateTexts = {
  evaluate: 'evaluate a finished call with the present settings of its assistant; nothing is stored',
  noFields: 'No fields.',
  unevaluated: {
    no_llm:
      'No language model was asked: the built-in model judges nothing. The values are those of the call.',
    nothing_said: 'No language model was asked: the caller said nothing. The values are those of the call.',
  },
};

/** Plain texts. */
export const testTexts = {
  test: {
    about: 'hold conversations with simulated callers and check what the assistant says and does',
    suite: 'YAML file with callers and expectations (docs/evaluations.md)',
    junit: 'write the results as JUnit XML',
    json: 'write the results as JSON',
    replay: 'instead of a suite: say what the caller of this call said again, in text',
    assistant: 'with --replay: the assistant that answers',
    parallel: 'conversations at the same time, at most 100; of calls at most 8',
  },
};
