import type { ModelIdentity } from '../../ports/languageModel.js';
import type { AgentKind } from './agentKind.js';
import { claudeCode } from './claudeCode.js';
import { codex } from './codex.js';
import { copilotCli } from './copilotCli.js';
import { cursorAgent } from './cursorAgent.js';
import { geminiCli } from './geminiCli.js';
import { opencode } from './opencode.js';

/** Every agent program that is known, in the order in which they are offered. */
export const agentKinds: readonly AgentKind[] = [claudeCode, codex, copilotCli, geminiCli, opencode, cursorAgent];

/** Whether it is an agent program that answers as this model. */
export function isAgent({ endpoint }: Pick<ModelIdentity, 'endpoint'>): boolean {
  return endpoint.startsWith('agent:');
}

/** As a person names it: `claude-code`, `claude-code/sonnet`; undefined where no program answers. */
export function nameOfAgent({ endpoint, provider, model }: ModelIdentity): string | undefined {
  if (!isAgent({ endpoint })) return undefined;
  return model === 'default' ? provider : `${provider}/${model}`;
}

/** The program that a model's name begins with: `claude-code` or `claude-code/sonnet`. */
export function agentOfSpec(
  spec: string,
): { readonly kind: AgentKind; readonly model: string | undefined } | undefined {
  const [name = '', ...rest] = spec.split('/');
  const kind = agentKinds.find(({ id }) => id === name);
  const model = rest.join('/');
  return kind === undefined ? undefined : { kind, model: model === '' ? undefined : model };
}
