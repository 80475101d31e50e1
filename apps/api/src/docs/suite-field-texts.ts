/** Descriptions and examples of the fields of suites, their runs and conversations. */
import { text, type FieldText } from './field-text.ts';

const DEFINITION = `assistant: Demo
callers:
  - name: asks for the hours
    script: [When do you open?]
    expect: { said: [/nine|9/i] }
`;

/** The texts of one field in each of several components. */
function inEach(components: readonly string[], fields: Record<string, FieldText>): Record<string, FieldText> {
  return Object.fromEntries(
    components.flatMap((component) =>
      Object.entries(fields).map(([name, about]) => [`${component}.${name}`, about] as const),
    ),
  );
}

/** `Component.field` or `operationId.parameter` to its texts. */
export const suiteFieldTexts: Record<string, FieldText> = {
  ...inEach(['Suite', 'SuiteDetail'], {
    name: text('Name of the suite.', 'Opening hours'),
    callers_count: text('Callers of the suite.', 1),
    conversations_count: text('Conversations of one run: all runs of all callers.', 1),
    last_run: text('The newest run; null before the first.', null),
  }),
  ...inEach(['SuiteDetail', 'NewSuite', 'SuiteChanges'], {
    definition: text('The suite as YAML or JSON, at most 1 MiB.', DEFINITION),
  }),
  ...inEach(['NewSuite', 'SuiteChanges'], {
    name: text('Name of the suite. Without it, the name in the text.', 'Opening hours'),
  }),
  'NewSuiteRun.parallel': text('Conversations at the same time; of calls at most 8.', 10),
  'NewSuiteRun.max_cost': text(
    'The run ends when its calls have cost as much; calls in progress may exceed it. Null: no limit. Replies in text have no known cost.',
    null,
  ),
  'NewSuiteRun.max_minutes': text('The run ends after this time.', 60),
  'NewReplay.assistant_id': text('`id` of the assistant that answers; any of yours.', 12),
  ...inEach(['SuiteRun', 'SuiteRunDetail'], {
    suite_id: text('`id` of the suite; null for a replay.', 3),
    replayed_call_id: text('`id` of the call whose caller is repeated; null for the run of a suite.', null),
    name: text('Name of the suite when the run began.', 'Opening hours'),
    status: text('`running` until every conversation is over, or the run has ended before.', 'passed'),
    error: text('Why the run ended before all conversations were held; null otherwise.', null),
    conversations_count: text('Conversations of the run.', 1),
    done_count: text('Conversations that are over.', 1),
    failed_count: text('Of these, those that did not meet every expectation.', 0),
    parallel: text('Conversations at the same time.', 10),
    max_cost: text('The limit of cost; null: none.', null),
    cost: text('What the calls of the run have cost, as far as it is known.', 0),
    run_until: text('Then the run ends, whatever is missing.', '2026-01-31T10:05:00.000000Z'),
    finished_at: text('Null while it is running.', '2026-01-31T09:06:00.000000Z'),
  }),
  'SuiteRunDetail.callers': text('The results of each caller, in the order of the suite.'),
  ...inEach(['SuiteRunCaller', 'SuiteCallerResult'], {
    name: text('Name of the caller.', 'asks for the hours'),
    mode: text('`voice`: real calls to a test phone.', 'text'),
    assistant: text('Name or id of the assistant, as the suite has it.', 'Demo'),
    runs: text('How often the conversation is held.', 1),
    done: text('Conversations that are over.', 1),
    passed: text('Conversations that met every expectation.', 1),
    required: text('How many must pass.', 1),
    is_passed: text('Null while conversations are missing.', true),
    latency_p95: text(
      'Milliseconds that the caller waited for replies: the 95th percentile over its conversations of each one’s 95th percentile. Null if there was no reply.',
      420,
    ),
    cost: text('What its calls have cost; null if it is not known.', null),
  }),
  'SuiteRunCaller.conversations': text('Each conversation of the caller.'),
  ...inEach(['SuiteConversationSummary', 'SuiteConversation'], {
    number: text('From 1, among the conversations of the caller.', 1),
    state: text('`skipped`: not held, because the run ended before.', 'done'),
    is_passed: text('Every expectation was met; null until it is done.', true),
    failures: text('A sentence for each expectation that was not met, or why there is no conversation.', []),
    turns_count: text('Turns of the caller; null until it is done.', 1),
    latency_p95: text('95th percentile of the times of its replies in milliseconds.', 420),
    duration_ms: text('How long it took, in milliseconds.', 900),
    cost: text('Cost of its call; null in text mode and if it is not known.', null),
    call_id: text('`id` of its call; null in text mode.', null),
  }),
  'SuiteConversation.run_id': text('`id` of the run.', 7),
  'SuiteConversation.caller': text('Name of the caller.', 'asks for the hours'),
  'SuiteConversation.mode': text('`voice`: a real call to a test phone.', 'text'),
  'SuiteConversation.turns': text('What was said, in order.'),
  'SuiteTurn.speaker': text('Who said it.', 'caller'),
  'SuiteTurn.text': text('What was said.', 'When do you open?'),
  'SuiteConversation.tools': text('Tools that the assistant used, in order.', []),
  'SuiteConversation.latencies': text('How long the caller waited for each reply, in milliseconds.', [420]),
  'SuiteConversation.first_words': text(
    'In text mode, the milliseconds until the first words of the model, for each reply.',
    [180],
  ),
  'SuiteConversation.ended_by': text('Which side ended the conversation.', 'caller'),
  'SuiteConversation.variables': text(
    'In text mode what a scripted dialogue has stored, in calls the variables of the call.',
    {},
  ),
  'SuiteConversation.call': text('The facts of the call; null in text mode.', null),
  'SuiteCallFacts.longest_silence': text(
    'The longest time in which neither side was heard, in milliseconds.',
    1200,
  ),
  'SuiteConversation.recording_url': text('The recording of its call; null without one.', null),
  'SuiteConversation.replay': text(
    'Of a replay: each turn of the recorded caller with the recorded answer and that of today. Null otherwise.',
    null,
  ),
  'ReplayedTurn.caller': text('What the caller said; null before the caller spoke.', null),
  'ReplayedTurn.recorded': text('The recorded answer.', 'Hello.'),
  'ReplayedTurn.now': text('The answer of today.', 'Good morning.'),
  'SuiteComparison.before': text('The earlier run.'),
  'SuiteComparison.after': text('The run itself.'),
  'SuiteComparison.callers': text('Each caller of one of the runs or both.'),
  'ComparedCaller.name': text('Name of the caller.', 'asks for the hours'),
  'ComparedCaller.change': text(
    'Whether a larger or smaller share of its conversations passed, or only one run had it.',
    'same',
  ),
  'ComparedCaller.before': text('Its result in the earlier run; null if that did not have it.'),
  'ComparedCaller.after': text('Its result in the run; null if that does not have it.'),
  'suiteRuns.list.suite_id': text('Only runs of this suite.', 3),
  'suiteRuns.compare.before_run_id': text(
    '`id` of the earlier run. Without it, the run before of the same suite.',
    6,
  ),
};
