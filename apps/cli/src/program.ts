/** The `parley` command and its sub-commands. */
import { Command } from 'commander';
import { addAssistantCommands } from './commands/assistants.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCallCommand } from './commands/call.ts';
import { addCallsCommands } from './commands/calls.ts';
import { addCampaignCommands } from './commands/campaigns.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConsentCommands } from './commands/consents.ts';
import { addDoNotCallCommands } from './commands/do-not-call.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addErasePersonCommand } from './commands/erase-person.ts';
import { addImportCommands } from './commands/imports.ts';
import { addKnowledgebaseCommands } from './commands/knowledgebases.ts';
import { addLeadCommands } from './commands/leads.ts';
import { addListenCommand } from './commands/listen.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addNumberCommands } from './commands/numbers.ts';
import { addProviderCommands } from './commands/provider.ts';
import { addResealSecretsCommand } from './commands/reseal-secrets.ts';
import { addRetentionCommand } from './commands/retention.ts';
import { addSuiteCommands } from './commands/suites.ts';
import { addTestCommand } from './commands/test.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addToolCommands } from './commands/tools.ts';
import { addTrunkCommands } from './commands/trunks.ts';
import { addTrunkDoctorCommand } from './commands/trunk-doctor.ts';
import { addUserCommands } from './commands/users.ts';
import { addWebhookEndpointCommands } from './commands/webhook-endpoints.ts';
import { addWebhookSecretCommand } from './commands/webhook-secret.ts';
import { addWebhooksCommands } from './commands/webhooks.ts';
import { EXIT } from './command-error.ts';
import type { Console } from './console.ts';
import { reportFailure } from './report-failure.ts';
import { texts } from './texts.ts';

/** @returns the exit code; never throws for errors of the user */
export async function runProgram(args: readonly string[], console: Console): Promise<number> {
  try {
    await createProgram(console).parseAsync([...args], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return reportFailure(console, error);
  }
}

/** The tree of commands. */
export function createProgram(console: Console): Command {
  const program = new Command('parley')
    .description(texts.program.description)
    .addHelpText('after', texts.program.help);
  // Sub-commands inherit both settings, so they are set first.
  program.exitOverride().configureOutput({
    writeOut: (text) => console.write(text),
    writeErr: (text) => console.remark(text),
  });
  addUserCommands(program, console);
  addTokenCommands(program, console);
  addProviderCommands(program, console);
  addTrunkCommands(program, console);
  addTrunkDoctorCommand(program, console);
  addNumberCommands(program, console);
  addAssistantCommands(program, console);
  addToolCommands(program, console);
  addKnowledgebaseCommands(program, console);
  addCampaignCommands(program, console);
  addLeadCommands(program, console);
  addImportCommands(program, console);
  addDoNotCallCommands(program, console);
  addConsentCommands(program, console);
  addErasePersonCommand(program, console);
  addMcpCommand(program, console);
  addCallCommand(program, console);
  addCallsCommands(program, console);
  addTestCommand(program, console);
  addSuiteCommands(program, console);
  addListenCommand(program, console);
  addWebhooksCommands(program, console);
  addWebhookEndpointCommands(program, console);
  addWebhookSecretCommand(program, console);
  addDoctorCommand(program, console);
  addBackupCommands(program, console);
  addResealSecretsCommand(program, console);
  addRetentionCommand(program, console);
  addCompletionCommand(program, console);
  return program;
}
