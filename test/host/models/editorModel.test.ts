import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createEditorModel } from '../../../src/models/editor/editorModel.js';
import type { ModelErrorKind } from '../../../src/errors.js';
import type { OptimizeResult } from '../../../src/app/runs/optimize.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { answering } from '../answering.js';
import { aSkill } from '../tasks/taskWindow.js';
import { echoChat, echoModels, textIn, type EchoCall } from './echoModels.js';

const topics = ['a lost parcel', 'late delivery', 'a broken lamp', 'double billing', 'missing screws', 'wrong colour'];
const wishes = ['wants a refund', 'thanks the driver'];
const list = topics.flatMap((topic, at) =>
  wishes.map((wish, index) => ({ id: `t${at}${index}`, prompt: `Someone wrote about ${topic} and ${wish}.` })),
);
const checks = [{ check: 'contains', text: 'Kind regards' }];

describe('a model that VS Code offers', () => {
  let skillPath = '';
  let usual: Awaited<ReturnType<typeof echoModels>>['answer'];
  before(async () => {
    skillPath = aSkill('letters-by-echo', {
      'SKILL.md': '---\nname: letters-by-echo\ndescription: Writes letters.\n---\n\n# Letters\n\nWrite a letter.\n',
      'evals/evals.json': { evals: list },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: Object.fromEntries(list.map(({ id }) => [id, { checks }])),
      },
    });
    const echo = await echoModels();
    usual = echo.answer;
    echo.answer = signed;
  });
  after(async () => {
    (await echoModels()).answer = usual;
    for (const name of ['target', 'optimizer'] as const) await setModel(name, undefined);
  });

  it('is chosen by its vendor and its name', async () => {
    await setModel('target', undefined);
    await answering({ picks: ['Target', '$(sparkle) VS Code: echo', 'small'] }, () =>
      vscode.commands.executeCommand('whetstone.chooseModel'),
    );
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('model.target'), 'vscode/echo/small');
  });

  it('does the tasks of a skill, and what it was asked is counted', async function () {
    await setModel('target', 'vscode/echo/small');
    await setModel('optimizer', 'simulated');
    const { asked } = await echoModels();
    asked.length = 0;
    let result: OptimizeResult | undefined;
    const { messages } = await answering({ buttons: ['Optimize'] }, async () => {
      result = await vscode.commands.executeCommand<OptimizeResult>('whetstone.optimize', skillPath);
    });
    assert.ok(result);
    assert.match(messages.join('\n'), /vscode\/echo\/small is billed by whoever brings it to VS Code/);
    assert.equal(result.proposal?.verdict.kind, 'accepted', result.noProposal?.reason);
    assert.equal(result.proposal?.models.target, 'vscode/echo/small');
    assert.ok(asked.length > 0 && asked.every(({ id }) => id === 'small'));
    const { target } = result.summary.spend;
    assert.equal(target.calls, asked.length);
    assert.ok(target.tokens > 0 && !target.exact, JSON.stringify(target));
  });

  it('is previewed with what it would be handed', async () => {
    await setModel('target', 'vscode/echo/small');
    await vscode.commands.executeCommand('whetstone.previewRequests', skillPath);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /handed to vscode:echo\/small/);
  });

  it('is asked for a word by “Check Connection”', async () => {
    await setModel('target', 'vscode/echo/small');
    await setModel('optimizer', undefined);
    const { asked } = await echoModels();
    asked.length = 0;
    const { messages } = await answering({}, () => vscode.commands.executeCommand('whetstone.checkConnection'));
    assert.deepEqual(messages, ['The model answers.']);
    assert.equal(asked.length, 1);
  });

  it('that VS Code does not have is said to be missing, with those that it has', async () => {
    await setModel('target', 'vscode/echo/huge');
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.checkConnection'));
    assert.match(errors.join(), /offers no model “echo\/huge” here\. Choose one of: vscode\/echo\/small/);
  });

  const refusals: readonly [name: string, kind: ModelErrorKind, make: (api: typeof vscode) => Error][] = [
    ['NoPermissions', 'endpoint', (api) => api.LanguageModelError.NoPermissions('not you')],
    ['NotFound', 'model-not-found', (api) => api.LanguageModelError.NotFound('no such')],
    ['Blocked', 'quota', (api) => api.LanguageModelError.Blocked('blocked')],
    ['Blocked for a while', 'rate-limit', (api) => api.LanguageModelError.Blocked('rate limited, try again')],
    ['a prompt too long', 'context-length', () => new Error('prompt is too long: maximum is 100 tokens')],
    ['a filter', 'content-filter', () => new Error('the response was filtered by the Responsible AI service')],
    ['anything else', 'unavailable', () => new Error('socket hang up')],
  ];
  for (const [name, kind, make] of refusals)
    it(`that answers with ${name} gives a ${kind} error`, async () => {
      const echo = await echoModels();
      const before = echo.answer;
      echo.answer = ({ vscode: api }: EchoCall) => {
        throw make(api);
      };
      try {
        const model = createEditorModel(await echoChat());
        await assert.rejects(model.complete(aRequest(), new AbortController().signal), {
          kind,
          message: /Echo small.*\.$/,
        });
      } finally {
        echo.answer = before;
      }
    });

  it('is handed tools, calls and their results as VS Code writes them', async () => {
    const { asked } = await echoModels();
    asked.length = 0;
    const call = { id: 'c1', name: 'look_up', arguments: '{"word":"ridge"}' };
    const request = aRequest({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is a ridge?' },
        { role: 'assistant', content: 'I look.', toolCalls: [call] },
        { role: 'tool', toolCallId: 'c1', content: 'A long narrow hill.' },
      ],
      tools: [{ name: 'look_up', description: 'Looks a word up.', parameters: { type: 'object' } }],
    });
    await createEditorModel(await echoChat()).complete(request, new AbortController().signal);
    const { messages = [], tools = [], modelOptions } = asked[0] ?? {};
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    assert.deepEqual(
      messages.map(({ role }) => role),
      [User, Assistant, User],
    );
    assert.equal(textIn(messages[0]?.content ?? []), 'Be brief.\n\nWhat is a ridge?');
    assert.match(JSON.stringify(messages[1]?.content), /"I look\.".*"c1".*"ridge"/);
    assert.match(JSON.stringify(messages[2]?.content), /"c1".*"A long narrow hill\."/);
    assert.match(JSON.stringify(tools), /"look_up"/);
    assert.match(JSON.stringify(modelOptions), /"max_tokens"/);
  });
});

/** Signs a letter where the skill says so. */
function signed({ messages, progress, vscode: api }: EchoCall): void {
  const asked = messages.map(({ content }) => textIn(content)).join('\n');
  const letter = asked.includes('Kind regards') ? 'Dear customer,\n\nKind regards' : 'Dear customer';
  progress.report(new api.LanguageModelTextPart(letter));
}

async function setModel(role: 'target' | 'optimizer', spec: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration('whetstone').update(`model.${role}`, spec, vscode.ConfigurationTarget.Global);
}
