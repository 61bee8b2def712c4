import assert from 'node:assert/strict';
import path from 'node:path';
import { agentKinds } from '../../../src/models/agents/agentKinds.js';
import { createAgentModel } from '../../../src/models/agents/agentModel.js';
import type { AgentWork } from '../../../src/ports/agentWork.js';
import type { LanguageModel, ModelRequest } from '../../../src/ports/languageModel.js';
import type { Workplaces } from '../../../src/ports/workplace.js';
import { aWorkTree } from '../../builders/aWorkTree.js';
import { FakeAgentConsent } from '../../fakes/AgentStandIn.js';
import { aRequest } from '../../fakes/ScriptedModel.js';

/** What the stand-in of `test/fakes/agents/atWork.cjs` does. */
export interface StandInPlan {
  /** Run by a shell in the work folder, first of all. */
  readonly script?: string;
  /** Asked once for each turn. */
  readonly url?: string;
  readonly turns?: number;
  /** What each turn takes. */
  readonly tokens?: number;
  /** How long it waits after each turn. */
  readonly waitMs?: number;
}

const refuse = () => Promise.resolve(undefined);

/** A program that works in folders of these places, and is spoken to as Claude Code is. */
export function standInAtWork(workplaces: Workplaces): LanguageModel {
  const kind = agentKinds.find(({ id }) => id === 'claude-code');
  assert.ok(kind !== undefined);
  const sources = {
    environment: { HOME: '/home/person', ANTHROPIC_API_KEY: 'sk-ant-planted-key-0123456789' },
    consent: new FakeAgentConsent(),
    programs: {
      find: refuse,
      findInWorkspace: refuse,
      readOwn: refuse,
      run: () => Promise.reject(new Error('Nothing is started outside of a workplace.')),
    },
    workplaces,
  };
  const script = path.resolve('test/fakes/agents/atWork.cjs');
  const program = { path: script, command: process.execPath, before: [script] };
  return createAgentModel(kind, sources, { installed: { program, version: kind.oldest }, model: 'stand-in' });
}

export function workRequest(plan: StandInPlan, work: Partial<AgentWork> = {}, attempt = 0): ModelRequest {
  const whole: AgentWork = {
    fixture: aWorkTree({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'kept/c.txt': 'c\n', 'run.sh*': 'exit 0\n' }),
    skill: { name: 'notes', files: aWorkTree({ 'SKILL.md': '# Notes\n' }) },
    mode: 'offered',
    limits: { maxTokens: 200_000, maxTurns: 30, timeLimitMs: 60_000 },
    judges: [],
    ...work,
  };
  const content = `PLAN ${JSON.stringify(plan)}`;
  return { ...aRequest({ messages: [{ role: 'user', content }], attempt }), work: whole };
}
