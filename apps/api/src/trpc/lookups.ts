/** All values of the assistant form, in one answer. */
import {
  builtInVariableNames,
  listAccountTools,
  listAssistantGroups,
  listKnowledgebases,
  listLanguages,
  listModels,
  listPhoneNumbers,
  listTranscriberProviders,
  listVoices,
} from '@parley/core';
import { router, userProcedure } from './procedures.ts';

/** More of them are not offered in a list. */
const MAX_GROUPS = 1000;

/** `lookups.*`. */
export const lookups = router({
  all: userProcedure.query(async ({ ctx }) => {
    const [
      voices,
      models,
      languages,
      phone_numbers,
      transcriber_providers,
      folders,
      labels,
      tools,
      knowledgebases,
    ] = await Promise.all([
      listVoices(ctx.core, ctx.session),
      listModels(ctx.core, ctx.session),
      listLanguages(ctx.core, ctx.session),
      listPhoneNumbers(ctx.core, ctx.session),
      listTranscriberProviders(ctx.core, ctx.session),
      listAssistantGroups(ctx.core, ctx.session, { kind: 'folder', page: 1, perPage: MAX_GROUPS }),
      listAssistantGroups(ctx.core, ctx.session, { kind: 'label', page: 1, perPage: MAX_GROUPS }),
      listAccountTools(ctx.core, ctx.session),
      listKnowledgebases(ctx.core, ctx.session),
    ]);
    return {
      voices,
      models,
      languages,
      phone_numbers,
      transcriber_providers,
      folders: folders.rows,
      labels: labels.rows,
      tools: tools.map(({ id, name, method, endpoint, schema }) => ({ id, name, method, endpoint, schema })),
      knowledgebases: knowledgebases.map(({ id, name }) => ({ id, name })),
      built_in_variables: [...builtInVariableNames] as string[],
    };
  }),
});
