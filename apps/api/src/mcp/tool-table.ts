/** The tools of the MCP server that are endpoints of the REST API. */

/** An endpoint as a tool. */
export interface EndpointTool {
  /** The operation of the contract, for example `calls.make`. */
  operation: string;
  /** When to use it, for a language model; absent: the summary of the endpoint. */
  hint?: string;
  /** Arguments that apply where the caller gives none. */
  defaults?: Readonly<Record<string, unknown>>;
}

const FIRST_PAGE = { page: '1', per_page: '25' };

/** Name of the tool to endpoint. */
export const ENDPOINT_TOOLS: Readonly<Record<string, EndpointTool>> = {
  make_call: {
    operation: 'calls.make',
    hint: 'Places a real phone call at once. The assistant follows its own prompt and, in this call, your instructions. post_call_schema describes the result that you want of this call. Preview the call before with preview_call, and wait for the result with wait_for_call.',
  },
  list_calls: { operation: 'calls.list', defaults: FIRST_PAGE },
  get_call: {
    operation: 'calls.get',
    hint: 'Reads a call: status, transcript, evaluation, variables, costs and the timeline.',
  },
  hang_up_call: { operation: 'calls.hangUp' },
  list_assistants: { operation: 'assistants.list', defaults: FIRST_PAGE },
  get_assistant: { operation: 'assistants.get' },
  create_assistant: {
    operation: 'assistants.create',
    hint: 'Creates an assistant. Read list_voices, list_models and list_languages for its voice_id, llm_model and language. post_call_schema describes the result of its calls.',
  },
  update_assistant: { operation: 'assistants.update' },
  list_tools: {
    operation: 'tools.list',
    hint: 'Lists the HTTP requests that assistants can make during calls; their ids belong in tool_ids of an assistant.',
  },
  list_knowledgebases: {
    operation: 'knowledgebases.list',
    hint: 'Lists collections of documents; the id of one belongs in knowledgebase_id of an assistant.',
  },
  list_voices: { operation: 'lookups.listVoices' },
  list_models: { operation: 'lookups.listModels' },
  list_languages: { operation: 'lookups.listLanguages' },
  list_phone_numbers: { operation: 'lookups.listPhoneNumbers' },
  list_leads: { operation: 'leads.list', defaults: FIRST_PAGE },
  get_lead: { operation: 'leads.get' },
  explain_lead: {
    operation: 'leads.attempts',
    hint: 'Explains each call to a lead, and why it is or is not called now.',
  },
  create_lead: { operation: 'leads.create' },
  update_lead: { operation: 'leads.update' },
  list_campaigns: { operation: 'campaigns.list' },
  get_campaign: { operation: 'campaigns.get' },
  create_campaign: { operation: 'campaigns.create' },
  update_campaign: { operation: 'campaigns.update' },
  start_or_stop_campaign: {
    operation: 'campaigns.updateStatus',
    hint: 'Starts a campaign, which then calls its leads, or stops it.',
  },
  forecast_campaign: { operation: 'campaigns.forecast' },
  add_to_do_not_call_list: { operation: 'doNotCall.add' },
  record_consent: { operation: 'consents.add' },
};
