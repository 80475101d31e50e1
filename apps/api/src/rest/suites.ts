/** Suites of simulated callers, their runs and conversations over REST. */
import type { api } from '@parley/contracts';
import {
  cancelSuiteRun,
  changeSuite,
  compareSuiteRuns,
  createSuite,
  deleteSuite,
  deleteSuiteRun,
  findSuite,
  findSuiteConversation,
  findSuiteRun,
  listSuiteRuns,
  listSuites,
  startReplay,
  startSuiteRun,
} from '@parley/core';
import type { RestHandlers } from './handlers.ts';

const STARTED = 'Run started successfully';

/** Handlers of `suites` in `contracts/suites.ts`. */
export const suiteHandlers: RestHandlers<typeof api.suites> = {
  async list({ core, identity }) {
    return { status: 200, body: await listSuites(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await createSuite(core, identity, body);
    return { status: 201, body: { message: 'Suite created successfully', data } };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findSuite(core, identity, params.id) };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeSuite(core, identity, { id: params.id, changes: body });
    return { status: 200, body: { message: 'Suite updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteSuite(core, identity, params.id);
    return { status: 200, body: { message: 'Suite deleted successfully' } };
  },

  async start({ core, identity }, { params, body }) {
    const data = await startSuiteRun(core, identity, { suiteId: params.id, limits: body });
    return { status: 201, body: { message: STARTED, data } };
  },
};

/** Handlers of `suiteRuns` in `contracts/suites.ts`. */
export const suiteRunHandlers: RestHandlers<typeof api.suiteRuns> = {
  async list({ core, identity }, { query }) {
    return { status: 200, body: await listSuiteRuns(core, identity, { suiteId: query.suite_id }) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findSuiteRun(core, identity, params.id) };
  },

  async cancel({ core, identity }, { params }) {
    const data = await cancelSuiteRun(core, identity, params.id);
    const wasCancelled = data.status === 'cancelled';
    const message = wasCancelled ? 'Run cancelled successfully' : 'The run was over already';
    return { status: 200, body: { message, data } };
  },

  async remove({ core, identity }, { params }) {
    await deleteSuiteRun(core, identity, params.id);
    return { status: 200, body: { message: 'Run deleted successfully' } };
  },

  async compare({ core, identity }, { params, query }) {
    const runs = { id: params.id, beforeRunId: query.before_run_id };
    return { status: 200, body: await compareSuiteRuns(core, identity, runs) };
  },

  async conversation({ core, identity }, { params }) {
    return { status: 200, body: await findSuiteConversation(core, identity, params.id) };
  },

  async replay({ core, identity }, { params, body }) {
    const about = { callId: params.id, assistantId: body.assistant_id };
    return { status: 201, body: { message: STARTED, data: await startReplay(core, identity, about) } };
  },
};
